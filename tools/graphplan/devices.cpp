#include "devices.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "backends.hpp"
#include "options.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace graphplan::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string to_document(const std::vector<BackendListing>& backends) {
    Json document{{"schema", "graphplan.devices"}, {"schema_version", "1.0"}, {"backends", Json::array()}};
    for (const BackendListing& backend : backends) {
        Json devices = Json::array();
        for (const DeviceListing& device : backend.devices) {
            devices.push_back(
                {{"name", device.name}, {"device", device.device}, {"total_bytes", device.total_bytes}});
        }
        document["backends"].push_back({{"name", backend.name},
                                        {"available", backend.available},
                                        {"note", backend.note},
                                        {"devices", devices}});
    }
    return document.dump(2) + "\n";
}

void summarize(std::ostream& out, const Paint& paint, const std::vector<BackendListing>& backends) {
    for (const BackendListing& backend : backends) {
        out << paint.bold(backend.name) << ": " << (backend.available ? "" : "not available, ")
            << backend.note << '\n';
        if (backend.devices.empty()) continue;
        Table table({{"name"}, {"device"}, {"memory", true}});
        for (const DeviceListing& device : backend.devices) {
            table.add({device.name, device.device, format_bytes(device.total_bytes)});
        }
        table.print(out, paint);
    }
}

class DevicesCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        add_common(app, common_, false);
        add_examples(app, {"graphplan devices", "graphplan devices --json"});
    }

    int run(const Streams& streams) override {
        const Output output(streams, common_, {});
        const std::vector<BackendListing> backends = list_backends();
        output.write([&] { return to_document(backends); },
                     [&](std::ostream& out, const Paint& paint) { summarize(out, paint, backends); });
        return 0;
    }

  private:
    CommonOptions common_;
};

}  // namespace

std::unique_ptr<Command> make_devices_command() { return std::make_unique<DevicesCommand>(); }

}  // namespace graphplan::cli
