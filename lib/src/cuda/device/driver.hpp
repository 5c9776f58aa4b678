// The driver functions that the runtime library has no counterpart for, found at run time: the build needs
// no driver, and neither does a program that never asks for a GPU.
#pragma once

#include <cuda.h>

#include <string_view>

namespace graphplan::cuda {

struct Driver {
    decltype(&cuMemAddressReserve) reserve;
    decltype(&cuMemAddressFree) free_range;
    decltype(&cuMemCreate) create;
    decltype(&cuMemRelease) release;
    decltype(&cuMemMap) map;
    decltype(&cuMemUnmap) unmap;
    decltype(&cuMemSetAccess) set_access;
    decltype(&cuGetErrorName) error_name;
};

/// @throws Error device where the driver lacks one of them
const Driver& driver();

/// @throws Error out_of_memory or device with the error's name
void check(CUresult status, std::string_view what);

}  // namespace graphplan::cuda
