#include <weft/extend/protocol/gate.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/observe/counters.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>
#include <string>
#include <utility>

namespace weft {

namespace {

/// Returns the first line of `mine` that differs in `other`.
std::string_view first_difference(std::string_view mine, std::string_view other) {
    while (!mine.empty()) {
        std::string_view const line = mine.substr(0, mine.find('\n'));
        if (!other.starts_with(line) || other.substr(line.size(), 1) != "\n") return line;
        mine.remove_prefix(line.size() + 1);
        other.remove_prefix(line.size() + 1);
    }
    return {};
}

/// Returns the value that follows `name`, which ends in " is ", in the lines of `all`.
std::string_view value_of(std::string_view name, std::string_view all) {
    while (!all.empty()) {
        std::string_view const line = all.substr(0, all.find('\n'));
        if (line.starts_with(name)) return line.substr(name.size());
        all.remove_prefix(std::min(all.size(), line.size() + 1));
    }
    return "not given";
}

/// Returns the census of all ranks. Throws: the error of the lowest rank that has one.
census_value joined(
    communicator const& comm, char const* call, census_value const& mine, std::exception_ptr thrown) {
    operation_context& context = or_alone(call, [&]() -> operation_context& { return context_of(comm); });
    auto const lease = or_alone(call, [&] { return begin_operation(comm); });
    agreement joint(context.via, lease.tags().control, comm.settings().all_reduce);
    or_alone(call, [&] { joint.enter(mine, std::move(thrown)); });
    complete(context, joint, call);
    context.count.control_messages += joint.messages();
    ++context.count.small_all_reduces;
    joint.rethrow();
    return joint.result();
}

/// Returns the text of rank 0 on all ranks.
std::string told_by_rank_0(communicator const& comm, char const* call, std::string const& mine) {
    auto const lease = begin_operation(comm);
    operation_context& context = context_of(comm);
    agreement of_rank_0(context.via, lease.tags().control, comm.settings().all_reduce);
    of_rank_0.enter_known(0, comm.rank() == 0 ? std::make_exception_ptr(usage_error(mine)) : nullptr);
    complete(context, of_rank_0, call);
    return std::string(of_rank_0.text());
}

} // namespace

gate& gate::same(char const* name, std::string_view value) noexcept {
    return add({name, detail::hash_of(std::as_bytes(std::span(value))), value, shown_as::text});
}

gate& gate::add(argument const& given) noexcept {
    print_ = detail::mixed(print_ + detail::mixed(given.bits) + arguments_);
    if (arguments_ < most_arguments) shown_[arguments_] = given;
    ++arguments_;
    return *this;
}

std::string gate::describe() const {
    std::string all;
    for (std::size_t i = 0; i < std::min<std::size_t>(arguments_, most_arguments); ++i) {
        argument const& each = shown_[i];
        all += each.name;
        all += " is ";
        if (each.kind == shown_as::integer) {
            all += std::to_string(static_cast<std::int64_t>(each.bits));
        } else if (each.kind == shown_as::text) {
            all += each.text;
        } else {
            std::array<char, 32> text;
            std::snprintf(text.data(), text.size(), "%.17g", std::bit_cast<double>(each.bits));
            all += text.data();
        }
        all += '\n';
    }
    return all;
}

census_value gate::agree(census_value mine) {
    mine.max[census_slot::largest_print] = static_cast<std::int64_t>(print_ >> 2);
    mine.max[census_slot::least_print] = ~mine.max[census_slot::largest_print];
    census_value const all = joined(comm_, call_, mine, take());
    if (all.max[census_slot::largest_print] != ~all.max[census_slot::least_print]) throw_difference();
    arguments_ = 0;
    print_ = 0;
    return all;
}

void gate::throw_difference() {
    std::string const here = describe();
    // All ranks compare their arguments with those of rank 0. Each operation ends before the next begins,
    // since there is room for only one if censuses use MPI's collectives.
    std::string const there = told_by_rank_0(comm_, call_, here);
    std::exception_ptr difference;
    if (here != there) {
        std::string_view const line = first_difference(here, there);
        std::size_t const name = line.find(" is ") + 4;
        difference = std::make_exception_ptr(usage_error(
            std::string(call_) + ": " + std::string(line) + " on rank " + std::to_string(comm_.rank()) +
            " and " + std::string(value_of(line.substr(0, name), there)) +
            " on rank 0; it must be the same on all ranks"));
    }
    fail(std::move(difference));
    arguments_ = 0;
    print_ = 0;
    agree();
    throw usage_error(std::string(call_) + ": the arguments differ between ranks");
}

} // namespace weft
