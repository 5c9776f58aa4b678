#include "import.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "graphplan/documents.hpp"
#include "graphplan/engine.hpp"
#include "options.hpp"
#include "output.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

class ImportCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("FORMAT", format_, "What is imported: hf, a config.json of transformers")
            ->type_name("hf");
        app.add_option("CONFIG", path_, "The file")->type_name("FILE");
        app.add_option("--name", name_, "What the model is called. Default: model")
            ->type_name("NAME")
            ->group("Choice");
        add_common(app, common_, true);
        add_examples(app, {"graphplan import hf config.json --name llama-3.1-8b -o model.json",
                           "graphplan import hf config.json --json"});
    }

    int run(const Streams& streams) override {
        required(format_, "FORMAT", "import");
        if (format_ != "hf") {
            throw Error(ErrorCode::invalid_argument,
                        fmt::format("FORMAT: expected hf, found {}", graphplan::quoted(format_)));
        }
        required(path_, "CONFIG", "import");
        const Output output(streams, common_, {path_});
        const std::string text = import_hf(read_text(path_), name_, output.reading());
        const Model model = parse_model({"the imported model", text, {}}, {true, {}});
        check_model(model);
        output.write([&] { return text; },
                     [&](std::ostream& out, const Paint& paint) {
                         out << fmt::format("{}: {} parameters, {} layers, {}\n", printable(model.name),
                                            *model.parameters, model.dims.at("layers"),
                                            to_string(model.dtype));
                         print_next(out, paint,
                                    common_.has_output() && !common_.to_stdout()
                                        ? "graphplan size " + shell_word(common_.output) +
                                              " -b buckets.json -o costs.json"
                                        : "the same command with -o model.json writes the model");
                     });
        return 0;
    }

  private:
    std::string format_, path_, name_ = "model";
    CommonOptions common_;
};

}  // namespace

std::unique_ptr<Command> make_import_command() { return std::make_unique<ImportCommand>(); }

}  // namespace graphplan::cli
