#include <tracing/line_store.hpp>

#include <exchange/gated_exchange.hpp>

#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <span>

namespace weft {

namespace {
/// A received piece, and the place of its points.
struct received_piece {
    line_piece piece;
    line_point const* points;
};

line_set put_together(std::vector<received_piece> pieces) {
    std::sort(pieces.begin(), pieces.end(), [](received_piece const& a, received_piece const& b) {
        return a.piece.seed != b.piece.seed ? a.piece.seed < b.piece.seed : a.piece.first < b.piece.first;
    });
    line_set whole;
    for (std::size_t i = 0; i < pieces.size();) {
        std::int64_t const seed = pieces[i].piece.seed;
        std::size_t const start = whole.points.size();
        for (; i < pieces.size() && pieces[i].piece.seed == seed; ++i)
            whole.points.insert(
                whole.points.end(), pieces[i].points, pieces[i].points + pieces[i].piece.count);
        if (whole.points.size() < start + 2) {
            whole.points.resize(start);
            continue;
        }
        whole.seeds.push_back(seed);
        whole.ends.push_back(static_cast<std::int64_t>(whole.points.size()));
    }
    return whole;
}

/// Sends the pieces and points that `add(pieces, points)` puts into outboxes; joins those received.
template <class Add>
line_set exchange_pieces(communicator const& comm, Add&& add) {
    gate call(comm, "lines");
    outbox<line_piece> pieces(comm);
    outbox<line_point> points(comm);
    call.guard([&] { add(pieces, points); });
    auto const got_pieces = exchange(call, std::move(pieces));
    auto const got_points = exchange(std::move(points));
    line_set whole;
    agreed(call, [&] {
        std::vector<received_piece> received;
        auto source_of_points = got_points.begin();
        for (auto const& [source, items] : got_pieces) {
            auto const [same_source, its_points] = *source_of_points;
            line_point const* next = its_points.data();
            for (line_piece const& piece : items) {
                received.push_back({piece, next});
                next += piece.count;
            }
            ++source_of_points;
        }
        whole = put_together(std::move(received));
    });
    return whole;
}
} // namespace

line_set join_lines(communicator const& comm, std::vector<line_store> const& stores,
    std::function<int(std::int64_t seed)> const& owner) {
    return exchange_pieces(comm, [&](outbox<line_piece>& pieces, outbox<line_point>& points) {
        for (line_store const& store : stores) {
            line_point const* next = store.points().data();
            for (line_piece const& piece : store.pieces()) {
                int const to = owner(piece.seed);
                pieces[to].push_back(piece);
                points[to].append(std::span(next, static_cast<std::size_t>(piece.count)));
                next += piece.count;
            }
        }
    });
}

line_set gather_lines(communicator const& comm, line_set const& mine, std::int64_t most) {
    std::int64_t const all = sum(comm, static_cast<std::int64_t>(mine.points.size()));
    std::int64_t const every = std::max<std::int64_t>(1, (all + most - 1) / most);
    return exchange_pieces(comm, [&](outbox<line_piece>& pieces, outbox<line_point>& points) {
        for (std::size_t line = 0; line < mine.seeds.size(); ++line) {
            if (mine.seeds[line] % every != 0) continue;
            std::int64_t const count = mine.ends[line] - mine.begin_of(line);
            pieces[0].push_back({mine.seeds[line], 0, count});
            points[0].append(
                std::span(mine.points)
                    .subspan(static_cast<std::size_t>(mine.begin_of(line)), static_cast<std::size_t>(count)));
        }
    });
}

} // namespace weft
