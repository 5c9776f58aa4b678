#include "documents/json_tree.hpp"

#include "documents_support.hpp"

using namespace graphplan::documents;

namespace {

JsonTree::Index child(const JsonTree& tree, JsonTree::Index of, int position) {
    JsonTree::Index index = of + 1;
    for (; position > 0; --position) index = tree.after(index);
    return index;
}

}  // namespace

TEST_CASE("a tree keeps order, kinds and extents") {
    const JsonTree tree = parse_json("t", R"({"b":[1,[2,3],"x"],"a":null,"c":{}})");
    CHECK(tree[0].kind == JsonKind::object);
    CHECK(tree[0].extent.length == 3);
    const JsonTree::Index list = child(tree, 0, 0);
    CHECK(tree.key(tree[list]) == "b");
    CHECK(tree[list].extent.length == 3);
    CHECK(tree.text(tree[child(tree, list, 2)]) == "x");
    CHECK(tree.key(tree[child(tree, 0, 1)]) == "a");
    CHECK(tree.after(0) == 9);
}

TEST_CASE("a pointer names every node as RFC 6901 does") {
    const JsonTree tree = parse_json("t", R"({"a/b":[{"m~n":1},{"":[true]}]})");
    CHECK(tree.pointer(0) == "");
    const JsonTree::Index list = child(tree, 0, 0);
    CHECK(tree.pointer(list) == "/a~1b");
    CHECK(tree.pointer(child(tree, child(tree, list, 0), 0)) == "/a~1b/0/m~0n");
    const JsonTree::Index inner = child(tree, child(tree, list, 1), 0);
    CHECK(tree.pointer(inner) == "/a~1b/1/");
    CHECK(tree.pointer(child(tree, inner, 0)) == "/a~1b/1//0");
}

TEST_CASE("a long pointer is shortened in its middle") {
    std::string text = "1";
    for (int i = 0; i < 60; ++i) text = "{\"" + std::string(70, 'k') + "ü\":" + text + "}";
    const JsonTree tree = parse_json("t", text);
    const std::string pointer = tree.pointer(60);
    CHECK(pointer.size() < 700);
    CHECK(pointer.find("…") != std::string::npos);
}

TEST_CASE("keys that are unprintable or long are made fit for a message") {
    CHECK(pointer_token("a\nb") == "a\\x0ab");
    CHECK(pointer_token(std::string(1000, 'a')).size() < 100);
}
