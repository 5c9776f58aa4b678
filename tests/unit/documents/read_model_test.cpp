#include <string>

#include "model_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

TEST_CASE("a model is read as it stands") {
    const Model model = read_model(kModel);
    CHECK(model.source == "t.json");
    CHECK(model.name == "tiny");
    CHECK(model.dtype == DType::bf16);
    CHECK_FALSE(model.parameters);
    CHECK(model.dims == Dimensions{{"hidden", 256}, {"layers", 2}, {"heads", 4}});
    REQUIRE(model.nodes.size() == 1);
    const Node& node = model.nodes[0];
    CHECK(node.name == "llm");
    CHECK(node.pointer == "/nodes/0");
    CHECK(node.regions.empty());
    REQUIRE(node.walks.size() == 1);
    CHECK(node.walks[0].first == "decode");
}

TEST_CASE("resources have kinds, sizes and flags") {
    const Model model =
        read_model(replaced(kModel, "\"philox\"", R"("philox","can_capture":false,"double_buffer":true)"));
    const auto& resources = model.nodes[0].resources;
    REQUIRE(resources.size() == 2);
    CHECK(resources[0].first == "kv");
    CHECK(resources[0].second.kind == ResourceKind::paged_kv);
    CHECK(resources[0].second.sizes == std::map<std::string, std::string>{{"layers", "layers"},
                                                                          {"kv_heads", "heads/2"},
                                                                          {"head_dim", "64"},
                                                                          {"pages", "8"},
                                                                          {"page_tokens", "16"}});
    CHECK(resources[0].second.can_capture);
    CHECK_FALSE(resources[0].second.double_buffer);
    CHECK(resources[1].second.kind == ResourceKind::philox);
    CHECK_FALSE(resources[1].second.can_capture);
    CHECK(resources[1].second.double_buffer);
    CHECK(resources[1].second.pointer == "/nodes/0/resources/rng");
}

TEST_CASE("dims have names that expressions can use") {
    check_model_refused("\"hidden\":256", "\"hidden\":0",
                        "/dims/hidden: expected an integer from 1 to 2^53, found 0");
    check_model_refused("\"hidden\":256", "\"hidden\":256.0", "/dims/hidden: expected an integer");
    check_model_refused("\"hidden\":256", "\"hidden\":\"256\"", "/dims/hidden: expected an integer");
    check_model_refused("\"heads\":4", "\"heads\":4,\"a b\":1",
                        "/dims/a b: a dimension's name is made of letters");
    check_model_refused("\"heads\":4", "\"heads\":4,\"2x\":1",
                        "/dims/2x: a dimension's name is made of letters");
    check_model_refused("\"heads\":4", "\"heads\":4,\"\":1", "a dimension's name is made of letters");
    check_model_refused("\"heads\":4", "\"heads\":4,\"bs\":1",
                        "/dims/bs: bs and tokens come from the bucket");
    check_model_refused("\"heads\":4", "\"heads\":4,\"tokens\":1",
                        "/dims/tokens: bs and tokens come from the bucket");
}

TEST_CASE("models that cannot be are refused at their place") {
    check_model_refused("\"bf16\"", "\"float\"",
                        "t.json: /dtype: expected one of \"f32\", \"f16\", \"bf16\"");
    check_model_refused("\"dtype\":\"bf16\",", "", "t.json: \"dtype\" is missing");
    check_model_refused("\"name\":\"tiny\"", "\"name\":\"tiny\",\"parameters\":-1",
                        "/parameters: expected an integer");
    check_model_refused(
        "\"kind\":\"philox\"", "\"kind\":\"mamba\"",
        "/nodes/0/resources/rng/kind: expected one of \"paged_kv\", \"philox\", found \"mamba\"");
    check_model_refused("\"kind\":\"philox\"", "\"king\":\"philox\"",
                        "/nodes/0/resources/rng: \"kind\" is missing. Is \"king\" meant");
    check_model_refused("\"kind\":\"philox\"", "\"kind\":\"philox\",\"pages\":1",
                        "/nodes/0/resources/rng/pages: unknown key");
    check_model_refused("\"kind\":\"philox\"", "\"kind\":\"philox\",\"can_capture\":0",
                        "/can_capture: expected true or false");
    check_model_refused("\"pages\":8", "\"pages\":0",
                        "/nodes/0/resources/kv/pages: expected an integer from 1");
    check_model_refused("\"pages\":8", "\"pages\":\"page\"",
                        "/kv/pages: expression \"page\": unknown name \"page\"");
    check_model_refused("\"pages\":8", "\"pages\":\"tokens\"",
                        "/kv/pages: expression \"tokens\": unknown name \"tokens\"");
    check_model_refused(",\"pages\":8", "", "/nodes/0/resources/kv: \"pages\" is missing");
    check_model_refused("\"heads/2\"", "\"heads/3\"",
                        "/kv/kv_heads: expression \"heads/3\": 4 / 3 is not a whole number");
    check_model_refused("\"regions\":{}", "\"region\":{}",
                        "/nodes/0/region: unknown key \"region\". Did you mean \"regions\"?");
}

TEST_CASE("nodes have names of their own, and something to run") {
    const std::string empty_head =
        R"({"schema":"graphplan.model","schema_version":"1.0","name":"m","dtype":"f32","nodes":)";
    check_failure([&] { read_model(empty_head + "[]}"); },
                  "/nodes: expected a list of nodes, found an empty list");
    check_failure([&] { read_model(empty_head + R"([{"name":"a"}]})"); },
                  "/nodes/0: a node needs at least one walk or region");
    check_failure([&] { read_model(empty_head + R"([{"name":"a","walks":{},"regions":{}}]})"); },
                  "/nodes/0: a node needs at least one walk or region");
    const std::string node = R"({"name":"a","walks":{"w":{"program":[{"op":"tanh"}],"outputs":["y"]}}})";
    CHECK(read_model(empty_head + "[" + node + "]}").nodes.size() == 1);
    check_failure([&] { read_model(empty_head + "[" + node + "," + node + "]}"); },
                  "/nodes/1: node \"a\" stands twice, first at /nodes/0");
    check_model_refused(
        "\"regions\":{}", R"("regions":{"decode":{"program":[{"op":"tanh"}],"outputs":["y"]}})",
        "/nodes/0/regions/decode: walk or region \"decode\" stands twice, first at /nodes/0/walks/decode");
    check_model_refused("\"decode\":{", "\"\":{", "/nodes/0/walks/: a name is empty");
    check_model_refused("\"rng\":{", "\"a\\u0007\":{",
                        "/nodes/0/resources/a\\x07: a name holds control characters");
}
