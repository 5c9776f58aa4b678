// Names the memory that a slot reads and writes.
#pragma once

#include <vector>

#include "engine/execution.hpp"
#include "engine/lowering.hpp"
#include "graphplan/engine.hpp"

namespace graphplan::engine {

/// Everything but outputs and padding rows.
SlotTensors tensors_of(const ForwardRef& forward, const LoweredProgram& program, const Bindings& bindings);

/// Sets the outputs; `storages` are the addresses of the program's output storages, in their order.
void name_outputs(SlotTensors& tensors, const ForwardRef& forward, const LoweredProgram& program,
                  const Bindings& bindings, const std::vector<Address>& storages);

}  // namespace graphplan::engine
