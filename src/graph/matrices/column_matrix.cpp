#include <weft/graph/column_matrix.hpp>

#include "graph/counts/delegate_places.hpp"
#include "hub_sum.hpp"

#include <frames/owner_cursor.hpp>
#include <weft/core/error.hpp>
#include <weft/detail/frames/frame_values.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <utility>

namespace weft {

namespace {

/// Returns the least e such that all finite values are below 2^e.
int exponent_above(std::span<double const> values) noexcept {
    double largest = 0;
    for (double const each : values)
        if (std::isfinite(each)) largest = std::max(largest, std::abs(each));
    int exponent = 0;
    (void)std::frexp(largest, &exponent);
    return exponent;
}

void check(sparse_matrix const& matrix, column_matrix_options const& options) {
    if (options.delegate_threshold < 0)
        throw usage_error("column_matrix: expected a delegate threshold of at least 0, found " +
                          std::to_string(options.delegate_threshold));
    auto const entries = static_cast<std::int64_t>(matrix.first_entries().back());
    if (std::max(entries, matrix.local_columns()) >= UINT32_MAX)
        throw usage_error("column_matrix: a rank holds too large a part of the matrix; use more ranks");
}

constexpr std::uint32_t no_hub = delegate_places::none;

struct given_entry {
    double value;
    std::uint32_t column; ///< on the receiver
    std::uint32_t hub;    ///< of the row, or `no_hub`
};

} // namespace

/// Sends the entries of a matrix stored by rows to the owners of their columns.
class column_matrix::building {
public:
    building(column_matrix& made, sparse_matrix const& matrix, std::vector<std::int64_t> counts)
        : made_(made),
          matrix_(matrix),
          here_(made.comm_.rank()),
          entries_of_(std::move(counts)),
          mail_(made.comm_),
          counted_(mail_.channel<std::uint32_t>([this](std::uint32_t column) { ++entries_of_[column]; })),
          elected_columns_(mail_.channel<global_id>(
              [this](global_id column) { made_.delegated_columns_.push_back(column); })),
          elected_rows_(mail_.channel<hub>([this](hub const& row) { made_.hubs_.push_back(row); })),
          given_(mail_.channel<given_entry>([this](int source, std::span<given_entry const> entries) {
              for (given_entry const& each : entries)
                  if (each.hub == no_hub)
                      made_.of_others_[static_cast<std::size_t>(source)].push_back({each.value, each.column});
                  else
                      made_.of_hubs_.push_back({each.value, each.column, each.hub});
          })) {}

    void elect(std::int64_t threshold) {
        auto const first = matrix_.first_entries();
        owner_cursor owner_of(made_.columns_);
        for (std::int64_t local = 0; local < matrix_.local_rows(); ++local) {
            auto const row = static_cast<std::size_t>(local);
            for (std::size_t i = first[row]; i < first[row + 1]; ++i) {
                global_id const column = matrix_.column_of(i);
                int const owner = owner_of(column);
                counted_.send(owner, static_cast<std::uint32_t>(column - owner_of.begin()));
            }
            auto const values = matrix_.values().subspan(first[row], first[row + 1] - first[row]);
            if (std::ssize(values) > threshold)
                elected_rows_.broadcast(
                    {made_.rows_.begin(here_) + local, std::ssize(values), exponent_above(values)});
        }
        mail_.drain();
        for (std::size_t i = 0; i < entries_of_.size(); ++i)
            if (entries_of_[i] > threshold)
                elected_columns_.broadcast(made_.columns_.begin(here_) + static_cast<global_id>(i));
        mail_.drain();
        std::ranges::sort(made_.hubs_, {}, &hub::row);
        std::ranges::sort(made_.delegated_columns_);
        std::vector<global_id> hub_rows;
        for (hub const& each : made_.hubs_) hub_rows.push_back(each.row);
        hubs_ = delegate_places(hub_rows);
        delegated_ = delegate_places(made_.delegated_columns_);
    }

    void distribute() {
        auto const first = matrix_.first_entries();
        made_.first_.assign(1, 0);
        owner_cursor owner_of(made_.columns_);
        for (std::int64_t local = 0; local < matrix_.local_rows(); ++local) {
            auto const row = static_cast<std::size_t>(local);
            std::uint32_t const hub = hubs_.find(made_.rows_.begin(here_) + local);
            for (std::size_t i = first[row]; i < first[row + 1]; ++i)
                place(matrix_.column_of(i), matrix_.values()[i], hub, owner_of);
            made_.first_.push_back(products_);
        }
        // Other ranks may multiply as soon as they are done, so buffers for their messages must exist before
        // the drain.
        made_.products_.resize(products_);
        made_.delegated_x_.resize(made_.delegated_columns_.size());
        made_.from_others_.resize(made_.hubs_.size());
        mail_.drain();
    }

private:
    void place(global_id column, double value, std::uint32_t hub, owner_cursor& owner_of) {
        bool const is_hub = hub != no_hub;
        std::uint32_t const at = is_hub ? hub : static_cast<std::uint32_t>(products_++);
        if (std::uint32_t const delegated = delegated_.find(column); delegated != no_hub) {
            (is_hub ? made_.of_hubs_and_delegated_ : made_.of_delegated_columns_)
                .push_back({value, delegated, at});
            return;
        }
        int const owner = owner_of(column);
        auto const there = static_cast<std::uint32_t>(column - owner_of.begin());
        if (owner == here_) {
            (is_hub ? made_.of_hubs_ : made_.own_).push_back({value, there, at});
            return;
        }
        if (!is_hub) made_.places_of_[static_cast<std::size_t>(owner)].push_back(at);
        given_.send(owner, {value, there, hub});
    }

    column_matrix& made_;
    sparse_matrix const& matrix_;
    int here_;
    std::vector<std::int64_t> entries_of_; // for each own column
    delegate_places hubs_;
    delegate_places delegated_;
    std::size_t products_ = 0;
    mailbox mail_;
    channel<std::uint32_t> counted_;
    channel<global_id> elected_columns_;
    channel<hub> elected_rows_;
    channel<given_entry> given_;
};

/// The mailbox of products, and its channels.
struct column_matrix::traffic {
    explicit traffic(column_matrix& of)
        : mail(of.comm_),
          to_rows(mail.channel<double>([&of](int source, std::span<double const> products) {
              auto const rank = static_cast<std::size_t>(source);
              std::uint32_t const* place = of.places_of_[rank].data() + of.arrived_[rank];
              for (double const each : products) of.products_[*place++] = each;
              of.arrived_[rank] += products.size();
          })),
          to_all(mail.channel<delegated_element>([&of](delegated_element const& each) {
              of.delegated_x_[static_cast<std::size_t>(each.place)] = each.value;
          })),
          to_hubs(mail.channel<partial_sum>([&of](partial_sum const& each) {
              partial_sum& all = of.from_others_[static_cast<std::size_t>(each.place)];
              for (std::size_t i = 0; i < all.pieces.size(); ++i) all.pieces[i] += each.pieces[i];
              all.infinite += each.infinite;
          })) {}

    mailbox mail;
    channel<double> to_rows;
    channel<delegated_element> to_all;
    channel<partial_sum> to_hubs;
};

column_matrix::column_matrix(sparse_matrix const& matrix, column_matrix_options const& options) try
    : comm_(matrix.comm()),
      rows_(matrix.rows()),
      columns_(matrix.columns()),
      of_others_(static_cast<std::size_t>(comm_.size())),
      places_of_(static_cast<std::size_t>(comm_.size())),
      arrived_(static_cast<std::size_t>(comm_.size())) {
    gate call(comm_, "column_matrix");
    call.same("delegate_threshold", options.delegate_threshold);
    std::vector<std::int64_t> counts;
    agreed(call, [&] {
        check(matrix, options);
        counts.resize(static_cast<std::size_t>(matrix.local_columns()));
    });
    traffic_ = detail::owned(new traffic(*this));
    building work(*this, matrix, std::move(counts));
    work.elect(options.delegate_threshold);
    work.distribute();
} catch (std::bad_alloc const&) {
    alone_unless_agreed("column_matrix");
    throw;
}

void column_matrix::multiply(std::span<double const> x, std::span<double> y) {
    std::exception_ptr failure = detail::failure_in([&] { send_products(x, y); });
    std::vector<hub_sum> sums;
    if (!hubs_.empty()) {
        std::int64_t const exponent = max(comm_, std::int64_t{failure ? 0 : exponent_above(x)});
        if (!failure) failure = detail::failure_in([&] { sums = add_up_hubs(x, exponent); });
    }
    if (failure) mailbox_parts::engine(traffic_->mail).fail(failure, ""); // the drain tells the others
    drain();

    for (placed_entry const& each : of_delegated_columns_)
        products_[each.place] = each.value * delegated_x_[each.column];
    for (placed_entry const& each : of_hubs_and_delegated_)
        sums[each.place].add(each.value * delegated_x_[each.column]);
    for (std::size_t row = 0; row < y.size(); ++row) {
        double total = 0;
        for (std::size_t i = first_[row]; i < first_[row + 1]; ++i) total += products_[i];
        y[row] = total;
    }
    for (std::size_t i = 0; i < hubs_.size(); ++i) {
        partial_sum const others = std::exchange(from_others_[i], {});
        std::int64_t const local = hubs_[i].row - rows_.begin(comm_.rank());
        if (local >= 0 && local < std::ssize(y))
            y[static_cast<std::size_t>(local)] = sums[i].with(others.pieces, others.infinite);
    }
}

/// Sends the products of other ranks' rows and the elements of delegated columns, and makes its own products.
void column_matrix::send_products(std::span<double const> x, std::span<double const> y) {
    if (std::ssize(x) != columns_.size(comm_.rank()) || std::ssize(y) != rows_.size(comm_.rank()))
        throw usage_error("multiply: expected x and y of " + std::to_string(columns_.size(comm_.rank())) +
                          " and " + std::to_string(rows_.size(comm_.rank())) + " elements, found " +
                          std::to_string(x.size()) + " and " + std::to_string(y.size()) + " on rank " +
                          std::to_string(comm_.rank()));
    global_id const first_column = columns_.begin(comm_.rank());
    for (std::size_t i = 0; i < delegated_columns_.size(); ++i) {
        global_id const local = delegated_columns_[i] - first_column;
        if (local >= 0 && local < std::ssize(x))
            traffic_->to_all.broadcast({static_cast<std::int64_t>(i), x[static_cast<std::size_t>(local)]});
    }
    for (std::size_t rank = 0; rank < of_others_.size(); ++rank)
        for (sent_entry const& each : of_others_[rank])
            traffic_->to_rows.send(static_cast<int>(rank), each.value * x[each.column]);
    for (placed_entry const& each : own_) products_[each.place] = each.value * x[each.column];
}

/// Prepares for the next product, also if this one fails.
void column_matrix::drain() {
    try {
        traffic_->mail.drain();
    } catch (...) {
        std::ranges::fill(arrived_, 0);
        std::ranges::fill(from_others_, partial_sum{});
        throw;
    }
    std::ranges::fill(arrived_, 0);
}

std::vector<hub_sum> column_matrix::add_up_hubs(std::span<double const> x, std::int64_t exponent) const {
    std::vector<hub_sum> sums;
    for (hub const& each : hubs_) sums.emplace_back(each.entries, each.exponent + static_cast<int>(exponent));
    std::vector<char> here(hubs_.size(), 0);
    for (placed_entry const& each : of_hubs_) {
        sums[each.place].add(each.value * x[each.column]);
        here[each.place] = 1;
    }
    for (std::size_t i = 0; i < hubs_.size(); ++i)
        if (int const owner = rows_.owner(hubs_[i].row); here[i] != 0 && owner != comm_.rank())
            traffic_->to_hubs.send(
                owner, {static_cast<std::int64_t>(i), sums[i].pieces(), sums[i].infinite()});
    return sums;
}

} // namespace weft
