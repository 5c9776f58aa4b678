#include "schema.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "choices.hpp"
#include "graphplan/documents.hpp"
#include "options.hpp"
#include "output.hpp"

namespace graphplan::cli {
namespace {

class SchemaCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("KIND", kind_, "A document kind; without one, the kinds are listed")
            ->type_name(as_choices(schema_kinds()));
        add_common(app, common_, false);
        add_examples(app, {"graphplan schema", "graphplan schema plan -o plan.schema.json"});
    }

    int run(const Streams& streams) override {
        if (kind_.empty()) return list(streams);
        // The schema is what was asked for, so it goes to stdout where no file is named.
        if (common_.output.empty()) common_.json = true;
        const Output output(streams, common_, {});
        output.write([this] { return std::string(schema(kind_)); }, [](std::ostream&, const Paint&) {});
        return 0;
    }

  private:
    int list(const Streams& streams) const {
        if (common_.has_output()) {
            throw Error(ErrorCode::invalid_argument,
                        fmt::format("KIND is missing: which schema is wanted? Kinds: {}",
                                    fmt::join(schema_kinds(), ", ")));
        }
        for (const std::string& kind : schema_kinds()) streams.out << kind << '\n';
        finish(streams.out);
        return 0;
    }

    std::string kind_;
    CommonOptions common_;
};

}  // namespace

std::unique_ptr<Command> make_schema_command() { return std::make_unique<SchemaCommand>(); }

}  // namespace graphplan::cli
