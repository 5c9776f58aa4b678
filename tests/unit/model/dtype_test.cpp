#include "catch.hpp"
#include "graphplan/model.hpp"

using namespace graphplan;

TEST_CASE("element types have names and sizes") {
    struct Row {
        DType dtype;
        const char* name;
        Bytes bytes;
    };
    for (const Row& row : {Row{DType::f32, "f32", 4}, Row{DType::f16, "f16", 2}, Row{DType::bf16, "bf16", 2},
                           Row{DType::i32, "i32", 4}, Row{DType::i64, "i64", 8}, Row{DType::u8, "u8", 1}}) {
        CHECK(to_string(row.dtype) == row.name);
        CHECK(parse_dtype(row.name) == row.dtype);
        CHECK(size_of(row.dtype) == row.bytes);
    }
}

TEST_CASE("an unknown element type is nothing") {
    CHECK(parse_dtype("float32") == std::nullopt);
    CHECK(parse_dtype("F32") == std::nullopt);
    CHECK(parse_dtype("") == std::nullopt);
}
