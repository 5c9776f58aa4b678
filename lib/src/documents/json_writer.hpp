// Writes JSON with stable bytes: keys in the order given, integers exact, doubles as short as they read
// back, two spaces of indentation, small values on one line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace graphplan::documents {

class JsonWriter {
  public:
    /// How a container's children stand: each on a line of its own, or all on the container's line.
    enum class Layout { lines, line };

    void begin_object(Layout layout) { open('{', layout); }
    void begin_list(Layout layout) { open('[', layout); }
    void end_object() { close('}'); }
    void end_list() { close(']'); }

    /// The key of what comes next.
    void key(std::string_view name);
    void null() { put("null"); }
    void value(bool value) { put(value ? "true" : "false"); }
    void value(std::int64_t value);
    /// @throws Error internal if it is not finite
    void value(double value);
    /// Bytes that are not UTF-8 become U+FFFD, so that the document stays readable.
    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }

    template <typename T>
    void member(std::string_view name, const T& content) {
        key(name);
        value(content);
    }
    /// Null where there is none.
    template <typename T>
    void nullable(std::string_view name, const std::optional<T>& content) {
        key(name);
        content ? value(*content) : null();
    }
    /// Left out where there is none.
    template <typename T>
    void optional(std::string_view name, const std::optional<T>& content) {
        if (content) member(name, *content);
    }
    /// Left out where it is empty.
    void optional(std::string_view name, const std::string& content) {
        if (!content.empty()) member(name, std::string_view(content));
    }

    /// The text, ending in a newline. All containers are closed.
    std::string finish();

  private:
    struct Level {
        Layout layout;
        bool empty;
    };
    void open(char bracket, Layout layout);
    void close(char bracket);
    void separate();
    void put(std::string_view token);
    void put_quoted(std::string_view text);
    void indent();

    std::string out_;
    std::vector<Level> levels_;
    bool after_key_ = false;
};

}  // namespace graphplan::documents
