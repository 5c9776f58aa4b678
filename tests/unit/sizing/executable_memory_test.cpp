#include "sizing/executable_memory.hpp"

#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"

using namespace graphplan;

namespace {

constexpr Bytes MiB = kMiB;
using Readings = std::vector<Bytes>;

ExecutableFigures count(const Readings& taken, std::int64_t nodes = 300, bool own = false) {
    return count_executable_memory(taken, nodes, own);
}

Readings repeated(std::initializer_list<Bytes> pattern, std::size_t length) {
    Readings readings;
    while (readings.size() < length) readings.insert(readings.end(), pattern);
    readings.resize(length);
    return readings;
}

Readings joined(Readings first, const Readings& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

double rate(Bytes counted, std::int64_t copies, std::int64_t nodes = 300) {
    return static_cast<double>(counted + 2 * MiB) /
           (static_cast<double>(copies) * static_cast<double>(nodes));
}

}  // namespace

TEST_CASE("a count starts after the first copy that takes some and ends at 16 MiB") {
    // two copies fill an old piece, the third starts the count, then 2 MiB every second copy
    const Readings taken = joined({0, 0, 2 * MiB}, repeated({0, 2 * MiB}, 16));
    const ExecutableFigures figures = count(taken);
    CHECK(figures.copies == 19);
    CHECK(*figures.bytes_per_node == rate(16 * MiB, 16));
    CHECK(figures.held_bytes == 19 * (12 * MiB) / 16);
    CHECK(figures.spoiled_counts == 0);
}

TEST_CASE("a curve begins with the first copy that takes some: those before it filled an old piece") {
    const Readings from_there = joined({2 * MiB}, repeated({0, 2 * MiB}, 16));
    const ExecutableFigures figures = count(joined({0, 0}, from_there));
    CHECK(figures.early_copies == 2);
    CHECK(figures.curve_bytes.front() == 0);
    CHECK(figures.curve_bytes[1] == 2 * MiB);
    CHECK(figures.curve_bytes.back() == 18 * MiB);
    CHECK(figures.curve_bytes == count(from_there).curve_bytes);
    CHECK(count(from_there).early_copies == 0);
}

TEST_CASE("readings past the end of a count are not read") {
    const Readings taken = joined(Readings{2 * MiB}, repeated({2 * MiB}, 20));
    CHECK(count(taken).copies == 9);
    CHECK(*count(taken).bytes_per_node == rate(16 * MiB, 8));
}

TEST_CASE("held memory is rounded down and subtracts two pieces") {
    // 18 MiB over 7 copies after one that starts: 8 × 14 MiB ÷ 7, and a case that does not divide
    CHECK(count({2 * MiB, 2 * MiB, 2 * MiB, 2 * MiB, 2 * MiB, 2 * MiB, 2 * MiB, 6 * MiB}).held_bytes ==
          16 * MiB);
    const ExecutableFigures figures = count({2 * MiB, 6 * MiB, 6 * MiB, 4 * MiB});
    CHECK(figures.copies == 4);
    CHECK(figures.held_bytes == 4 * (12 * MiB) / 3);
    const ExecutableFigures odd = count({0, 2 * MiB, 6 * MiB, 6 * MiB, 6 * MiB});
    CHECK(odd.held_bytes == 5 * (14 * MiB) / 3);
    CHECK(odd.held_bytes % MiB != 0);
}

TEST_CASE("a copy up to two pieces above the mean counts, one above that spoils the count") {
    // mean of 8 copies 2.75 MiB: 6 MiB is within two pieces of it
    const Readings within{2 * MiB, 2 * MiB, 2 * MiB, 2 * MiB, 2 * MiB, 2 * MiB, 6 * MiB};
    CHECK(*count(within).bytes_per_node == rate(16 * MiB, 6));
    CHECK(count(within).spoiled_counts == 0);

    // exactly two pieces above a mean of 4 MiB stands, as 16 + 4 × 0 over 4 copies would show 8 MiB
    const Readings exactly{2 * MiB, 2 * MiB, 4 * MiB, 2 * MiB, 8 * MiB};
    CHECK(*count(exactly).bytes_per_node == rate(16 * MiB, 4));

    const Readings above{2 * MiB, 2 * MiB, 2 * MiB, 2 * MiB, 10 * MiB};
    const ExecutableFigures spoiled = count(above);
    CHECK(spoiled.spoiled_counts == 1);
    CHECK(*spoiled.bytes_per_node == rate(16 * MiB, 4));
    CHECK(spoiled.held_bytes == 0);
    CHECK(spoiled.curve_bytes.empty());
}

TEST_CASE("a count that another process's jump ends at once is spoiled, not believed") {
    const Readings clean = joined(Readings{2 * MiB}, repeated({2 * MiB}, 8));
    const Readings jump{2 * MiB, 52 * MiB, 2 * MiB, 2 * MiB};
    const ExecutableFigures figures = count(joined(jump, clean));
    CHECK(figures.spoiled_counts == 1);
    CHECK(figures.curve_bytes.empty());
    CHECK(count(jump).held_bytes == 0);
    CHECK(count({2 * MiB, 52 * MiB}).curve_bytes.empty());
    // Large graphs agree with one another, and need no more than themselves where readings are their own.
    const Readings large = repeated({30 * MiB}, 6);
    CHECK(count(large).copies == 4);
    CHECK(*count(large).bytes_per_node == rate(90 * MiB, 3));
    CHECK(count(large, 300, true).copies == 2);
    CHECK(*count(large, 300, true).bytes_per_node == rate(30 * MiB, 1));
}

TEST_CASE("free memory that rises spoils a count, and the next one stands") {
    const Readings clean = joined(Readings{2 * MiB}, repeated({2 * MiB}, 8));
    const Readings taken = joined({2 * MiB, 2 * MiB, -50 * MiB, 0}, clean);
    const ExecutableFigures figures = count(taken);
    CHECK(figures.spoiled_counts == 1);
    CHECK(*figures.bytes_per_node == rate(16 * MiB, 8));
    CHECK(figures.held_bytes == 13 * (12 * MiB) / 8);
    CHECK(figures.copies == 13);
    CHECK(figures.curve_bytes.empty());
}

TEST_CASE("a rise before anything was taken costs a try too") {
    const ExecutableFigures figures = count(repeated({0, -2 * MiB}, 40));
    CHECK(figures.spoiled_counts == 4);
    CHECK(figures.copies == 8);
    CHECK_FALSE(figures.bytes_per_node);
    CHECK(figures.held_bytes == 0);
}

TEST_CASE("after four tries the largest rate seen stands") {
    const Readings jump{2 * MiB, 2 * MiB, 2 * MiB, 2 * MiB, 30 * MiB};   // 36 MiB over 4 copies
    const Readings worse{2 * MiB, 2 * MiB, 2 * MiB, 2 * MiB, 98 * MiB};  // 104 MiB over 4 copies
    Readings taken = joined(joined(jump, worse), joined(jump, jump));
    taken = joined(taken, repeated({2 * MiB}, 50));
    const ExecutableFigures figures = count(taken);
    CHECK(figures.copies == 20);
    CHECK(figures.spoiled_counts == 4);
    CHECK(*figures.bytes_per_node == rate(104 * MiB, 4));
    CHECK(figures.held_bytes == 0);
}

TEST_CASE("at most 512 copies are made") {
    // 2 MiB in 128 copies: 512 of them count 6 MiB
    Readings taken(700, 0);
    for (std::size_t i = 0; i < taken.size(); i += 128) taken[i] = 2 * MiB;
    const ExecutableFigures figures = count(taken, 4);
    CHECK(figures.copies == 512);
    CHECK(*figures.bytes_per_node == rate(6 * MiB, 511, 4));
    CHECK(figures.held_bytes == 0);
    CHECK(figures.curve_bytes.size() == 513);
    CHECK(figures.curve_bytes.back() == 8 * MiB);
}

TEST_CASE("an open count at the end gives way to a larger rate of a spoiled one") {
    const Readings jump{2 * MiB, 2 * MiB, 2 * MiB, 2 * MiB, 30 * MiB};
    CHECK(*count(joined(jump, {2 * MiB, 2 * MiB})).bytes_per_node == rate(36 * MiB, 4));
    CHECK(*count(joined(jump, {2 * MiB, 14 * MiB})).bytes_per_node == rate(14 * MiB, 1));
}

TEST_CASE("copies that take nothing fit in one piece together") {
    const ExecutableFigures figures = count(Readings(512, 0), 5);
    CHECK(*figures.bytes_per_node == 2.0 * MiB / (512 * 5));
    CHECK(figures.held_bytes == 0);
    CHECK(figures.curve_bytes == Readings(513, 0));
    CHECK(*count({0, 0}, 5).bytes_per_node == 2.0 * MiB / (2 * 5));
}

TEST_CASE("no copy, no rate") {
    const ExecutableFigures figures = count({});
    CHECK(figures.copies == 0);
    CHECK_FALSE(figures.bytes_per_node);
    CHECK(figures.curve_bytes.empty());
}

TEST_CASE("copies too few to count still bound the rate") {
    CHECK(*count({4 * MiB}).bytes_per_node == rate(4 * MiB, 1));
    CHECK(*count({0, 2 * MiB, -8 * MiB, 6 * MiB, -8 * MiB}).bytes_per_node == rate(6 * MiB, 1));
}

TEST_CASE("a curve is written only where it is the copies' own") {
    const Readings clean = joined(Readings{2 * MiB}, repeated({0, 4 * MiB}, 8));
    CHECK(count(clean).curve_bytes.size() == 10);

    SECTION("a change that is no whole number of pieces is somebody else's") {
        Readings odd = clean;
        odd[3] += 65536;
        CHECK(count(odd, 300, false).curve_bytes.empty());
        CHECK(count(odd, 300, true).curve_bytes.size() == 10);
    }
    SECTION("a jump before the count shows too") {
        Readings jump = clean;
        jump[0] = 300 * MiB;
        CHECK(count(jump, 300, false).curve_bytes.empty());
        CHECK(*count(jump).bytes_per_node == *count(clean).bytes_per_node);
        CHECK(count(jump, 300, true).curve_bytes[1] == 300 * MiB);
    }
    SECTION("the process's own memory is exact even where a count jumped, but not where it fell") {
        const Readings jump{2 * MiB, 2 * MiB, 2 * MiB, 2 * MiB, 30 * MiB, 2 * MiB};
        CHECK(count(jump, 300, true).curve_bytes.back() == 40 * MiB);
        CHECK(count({2 * MiB, 2 * MiB, -2 * MiB, 2 * MiB}, 300, true).curve_bytes.empty());
    }
}

TEST_CASE("a curve never falls and ends at what all copies took") {
    const ExecutableFigures figures =
        count(joined({0, 4 * MiB}, repeated({0, 2 * MiB, 4 * MiB}, 9)), 300, true);
    REQUIRE(figures.curve_bytes.size() ==
            static_cast<std::size_t>(figures.copies - figures.early_copies) + 1);
    for (std::size_t k = 1; k < figures.curve_bytes.size(); ++k) {
        CHECK(figures.curve_bytes[k] >= figures.curve_bytes[k - 1]);
    }
    CHECK(figures.curve_bytes.front() == 0);
}
