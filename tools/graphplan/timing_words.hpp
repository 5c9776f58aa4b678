// What is said about times: a line for scripts, warnings, a table.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "command.hpp"
#include "graphplan/device.hpp"
#include "graphplan/timing.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "timings.hpp"

namespace graphplan::cli {

/// ", about 40 s left", or nothing where it is hardly worth a line.
std::string left_words(double seconds);

/// What is said once about a device that captures nothing.
std::string no_captures(const Capabilities& device);

/// Says on stderr what is special about a bucket's times. A bucket that was timed directly gets the line
/// "graphplan: direct timing walk=… bs=… tokens=… phase=… reason=…".
void tell(const BucketTiming& timing, const Streams& streams, const Output& output);

/// Every bucket with its times; first rows only unless `everything`.
void print_timings(std::ostream& out, const Paint& paint, const Timings& timings, bool everything);

}  // namespace graphplan::cli
