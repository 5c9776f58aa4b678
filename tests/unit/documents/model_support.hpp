// A small model whose parts the tests replace.
#pragma once

#include <string>

#include "documents_support.hpp"

namespace graphplan::test {

inline const std::string kModel =
    R"({"schema":"graphplan.model","schema_version":"1.0","name":"tiny","dtype":"bf16",
 "dims":{"hidden":256,"layers":2,"heads":4},
 "nodes":[{"name":"llm",
   "resources":{"kv":{"kind":"paged_kv","layers":"layers","kv_heads":"heads/2","head_dim":64,"pages":8},
                "rng":{"kind":"philox"}},
   "walks":{"decode":{"inputs":{"ids":{"dtype":"i32","shape":["tokens"]}},
     "program":[{"op":"embedding","x":"ids","features":"hidden","rows":100,"out":"h"},
                {"repeat":"layers","program":[{"op":"gelu","x":"h","out":"h"}]}],
     "outputs":["h"]}},
   "regions":{}}]})";

inline Model read_model(const std::string& text) { return parse_model(document(text), strict()); }

/// kModel with one thing changed is refused.
inline void check_model_refused(const std::string& what, const std::string& by, const std::string& part) {
    CAPTURE(what, by);
    check_failure([&] { read_model(replaced(kModel, what, by)); }, part);
}

}  // namespace graphplan::test
