// The smallest loop of a server: requests arrive, grow by a token a step and leave, and each step replays the
// tightest graph of a plan that fits its batch.
//
//   serve_loop PLAN MODEL BUCKETS POOL cuda|sim
//
// The pool has a walk "decode" with inputs "ids" and "positions", as samples/qwen3-0.6b has. Prompts go
// through it token by token here; a server would prefill them. Which token comes next is the largest of the
// first output's row, picked on the host.
#include <graphplan/documents.hpp>
#include <graphplan/replay.hpp>
#include <graphplan/sim.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>
#ifdef SERVE_LOOP_HAS_CUDA
#include <graphplan/cuda.hpp>
#endif

namespace {

using namespace graphplan;

constexpr std::int64_t kPageTokens = 16, kRequests = 40, kTokens = 40;

struct Request {
    std::int32_t token = 1, position = 0;
    std::int64_t left = 0;
    std::vector<std::int32_t> pages;
};

struct Server {
    Device& device;
    ReplaySession& session;
    std::string pool;
    std::vector<std::int32_t> free_pages;  // never page 0: rows that pad write there
    std::vector<Request> running;
    std::int64_t steps = 0, replayed = 0, tokens = 0;

    void step();
    void replay(const Lease& lease, const std::vector<std::int32_t>& ids,
                const std::vector<std::int32_t>& at);
    void run_eagerly(const StepShape& shape, const std::vector<std::int32_t>& ids,
                     const std::vector<std::int32_t>& at);
    void take_tokens(const TensorView& logits);
};

void Server::replay(const Lease& lease, const std::vector<std::int32_t>& ids,
                    const std::vector<std::int32_t>& at) {
    const auto count = static_cast<std::int64_t>(ids.size());
    const StagedInput inputs[] = {{"ids", count, 0, ids.data()}, {"positions", count, 0, at.data()}};
    std::vector<PageRow> rows;
    for (const Request& request : running) {
        rows.push_back({static_cast<std::int64_t>(rows.size()), 0, request.pages});
    }
    session.prepare(lease, "kv", rows);  // on a stream of its own, beside the step that runs
    session.stage(lease, inputs);
    session.launch(lease);
    take_tokens(session.view(lease, 0));
    session.release(lease);
}

void Server::run_eagerly(const StepShape& shape, const std::vector<std::int32_t>& ids,
                         const std::vector<std::int32_t>& at) {
    const std::unique_ptr<PreparedSlot> slot = session.eager(shape);
    const auto upload = [&](const TensorView& to, std::int64_t offset,
                            const std::vector<std::int32_t>& from) {
        const Address address = to.address + static_cast<Address>(offset * size_of(to.dtype));
        device.upload(address, from.data(), static_cast<Bytes>(from.size() * sizeof(from[0])),
                      session.stream());
    };
    for (const NamedTensor& input : slot->tensors().inputs)
        upload(input.view, 0, input.name == "ids" ? ids : at);
    const TensorView& table = slot->tensors().page_tables.at(0).view;
    for (std::size_t row = 0; row < running.size(); ++row) {
        upload(table, static_cast<std::int64_t>(row) * table.shape[1], running[row].pages);
    }
    session.synchronize();
    slot->forward();
    take_tokens(slot->tensors().outputs[0].view);
}

void Server::take_tokens(const TensorView& logits) {
    std::vector<float> values(static_cast<std::size_t>(logits.elements()));
    device.download(values.data(), logits.address, logits.bytes(), session.stream());
    const auto vocabulary = static_cast<std::ptrdiff_t>(logits.shape[1]);
    auto row = values.begin();
    for (Request& request : running) {
        request.token = static_cast<std::int32_t>(std::max_element(row, row + vocabulary) - row);
        row += vocabulary;
    }
}

void Server::step() {
    std::vector<std::int32_t> ids, at;
    for (Request& request : running) {
        ids.push_back(request.token);
        at.push_back(request.position);
        if (request.position++ % kPageTokens != 0) continue;
        request.pages.push_back(free_pages.back());
        free_pages.pop_back();
    }
    const auto bs = static_cast<std::int64_t>(running.size());
    const StepShape shape{pool, "decode", std::nullopt, bs, bs};
    if (const std::optional<Lease> lease = session.lease(shape)) {
        replay(*lease, ids, at);
        ++replayed;
    } else {
        run_eagerly(shape, ids, at);
    }
    ++steps;
    tokens += bs;
    std::erase_if(running, [&](Request& request) {
        if (--request.left > 0) return false;
        free_pages.insert(free_pages.end(), request.pages.begin(), request.pages.end());
        return true;
    });
}

std::unique_ptr<Device> open(const std::string& backend) {
#ifdef SERVE_LOOP_HAS_CUDA
    if (backend == "cuda") return make_cuda_device({});
#endif
    if (backend != "sim") throw Error(ErrorCode::device_unavailable, "this build knows the backend sim only");
    SimOptions options;
    options.profile = sim_profile("h200");
    return make_sim_device(options);
}

int serve(const std::vector<std::string>& arguments) {
    const Model model = parse_model(read_text(arguments[1]), {});
    const Buckets buckets = parse_buckets(read_text(arguments[2]), {});
    const std::unique_ptr<Device> device = open(arguments[4]);
    const std::unique_ptr<Engine> engine = make_interpreter(*device, model, buckets, {});
    ReplayOptions options;
    options.log = [](LogLevel, std::string_view text) { std::cerr << text << '\n'; };
    ReplaySession session(*engine, buckets, parse_plan(read_text(arguments[0]), {}), options);
    session.capture();

    Server server{*device, session, arguments[3], std::vector<std::int32_t>(2048), {}};
    std::iota(server.free_pages.begin(), server.free_pages.end(), 1);
    const std::int64_t most = session.max_batch_size_for(server.pool, "decode").value_or(8);
    for (std::int64_t arrived = 0; arrived < kRequests || !server.running.empty();) {
        for (int i = 0; i < 2 && arrived < kRequests; ++i, ++arrived) {
            if (static_cast<std::int64_t>(server.running.size()) == most) break;
            Request request;
            request.left = kTokens - arrived % 10;
            server.running.push_back(request);
        }
        server.step();
    }
    std::cout << "served " << kRequests << " requests: " << server.tokens << " tokens in " << server.steps
              << " steps, " << server.replayed << " of them replayed\n";
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() != 5) {
        std::cerr << "usage: serve_loop PLAN MODEL BUCKETS POOL cuda|sim\n";
        return 2;
    }
    try {
        return serve(arguments);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
