#include "call.hpp"

#include <harness/protocols.hpp>

#include <weft/collective/arrays.hpp>
#include <weft/collective/gather.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/exchange/exchange_plan.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <numeric>
#include <optional>

namespace faults {

namespace {

/// Each rank sends `length` numbers to each rank.
constexpr std::int64_t length = 700;

std::int64_t number(int from, int to, std::int64_t i) {
    return 1'000'000 * from + 10'000 * to + i;
}

weft::outbox<std::int64_t> numbers_to_all(trial const& now) {
    weft::outbox<std::int64_t> out(now.comm());
    for (int to = 0; to < now.size(); ++to)
        for (std::int64_t i = 0; i < length; ++i) out[to].push_back(number(now.rank(), to, i));
    return out;
}

template <class Box>
bool has_all_numbers(trial const& now, Box const& box) {
    if (box.size() != static_cast<std::size_t>(now.size())) return false;
    for (int from = 0; from < now.size(); ++from) {
        auto const& items = box[static_cast<std::size_t>(from)].items;
        if (std::ssize(items) != length) return false;
        for (std::int64_t i = 0; i < length; ++i)
            if (items[static_cast<std::size_t>(i)] != number(from, now.rank(), i)) return false;
    }
    return true;
}

weft::outbox<fragile> texts_to_all(trial const& now) {
    weft::outbox<fragile> out(now.comm());
    for (int to = 0; to < now.size(); ++to)
        for (std::int64_t i = 0; i < 3; ++i) out[to].push_back(fragile_of(number(now.rank(), to, i)));
    return out;
}

void exchange_by(trial& now, weft::protocol how) {
    auto out = numbers_to_all(now);
    weft::inbox<std::int64_t> box;
    if (now.under_test([&] { box = exchange(std::move(out), {.protocol = how}); }))
        now.expect(has_all_numbers(now, box));
}

void exchange_of_texts(trial& now) {
    auto out = texts_to_all(now);
    weft::inbox<fragile> box;
    if (!now.under_test([&] { box = exchange(std::move(out)); })) return;
    for (int from = 0; from < now.size(); ++from)
        now.expect(box[static_cast<std::size_t>(from)].items[2] == fragile_of(number(from, now.rank(), 2)));
}

void exchange_of_new_texts(trial& now) {
    std::vector<int> to(static_cast<std::size_t>(now.size()));
    std::iota(to.begin(), to.end(), 0);
    std::vector<fragile> items;
    for (int const each : to) items.push_back(fragile_of(number(now.rank(), each, 0)));
    weft::inbox<fragile> box;
    if (now.under_test([&] { box = weft::exchange(now.comm(), to, items); }))
        for (int from = 0; from < now.size(); ++from)
            now.expect(
                box[static_cast<std::size_t>(from)].items[0] == fragile_of(number(from, now.rank(), 0)));
}

void flat_exchange(trial& now) {
    std::vector<int> to;
    std::vector<std::int64_t> items;
    for (std::int64_t i = 0; i < length; ++i)
        for (int each = 0; each < now.size(); ++each) {
            to.push_back(each);
            items.push_back(number(now.rank(), each, i));
        }
    weft::inbox<std::int64_t> box;
    if (now.under_test([&] { box = weft::exchange(now.comm(), to, items); }))
        now.expect(has_all_numbers(now, box));
}

void exchange_with_callback(trial& now) {
    auto out = numbers_to_all(now);
    std::int64_t total = 0;
    if (now.under_test([&] {
            exchange(std::move(out), [&](int, std::span<std::int64_t const> items) {
                in_callback();
                total += std::ssize(items);
            });
        }))
        now.expect(total == length * now.size());
}

void exchange_and_its_sum(trial& now) {
    auto out = numbers_to_all(now);
    std::pair<weft::inbox<std::int64_t>, std::int64_t> got;
    if (now.under_test([&] { got = exchange_and_sum(std::move(out), 2); }))
        now.expect(has_all_numbers(now, got.first) && got.second == 2 * now.size());
}

void started_exchange(trial& now) {
    auto out = texts_to_all(now);
    weft::inbox<fragile> box;
    if (now.under_test([&] { box = start_exchange(std::move(out)).get(); }))
        now.expect(box[0].items[1] == fragile_of(number(0, now.rank(), 1)));
}

struct ring {
    explicit ring(trial const& now)
        : to{(now.rank() + 1) % now.size()},
          counts{length},
          out(static_cast<std::size_t>(length)),
          in(static_cast<std::size_t>(length)),
          before((now.rank() + now.size() - 1) % now.size()) {
        std::iota(out.begin(), out.end(), 10'000 * now.rank());
    }
    [[nodiscard]] bool is_round() const { return in[5] == 10'000 * before + 5; }
    std::vector<int> to;
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> out;
    std::vector<std::int64_t> in;
    int before;
};

void made_plan(trial& now) {
    ring around(now);
    std::optional<weft::exchange_plan> plan;
    if (!now.under_test([&] { plan.emplace(now.comm(), around.to, around.counts); })) return;
    plan->exchange(around.out, around.in);
    now.expect(around.is_round());
}

void run_plan(trial& now) {
    ring around(now);
    weft::exchange_plan const plan(now.comm(), around.to, around.counts);
    if (now.under_test([&] { plan.exchange(around.out, around.in); })) now.expect(around.is_round());
}

void bound_plan(trial& now) {
    ring around(now);
    weft::exchange_plan const plan(now.comm(), around.to, around.counts);
    auto bound = plan.bind(around.out, around.in);
    if (now.under_test([&] {
            for (int i = 0; i < 2; ++i) {
                bound.start();
                bound.wait();
            }
        }))
        now.expect(around.is_round());
}

fragile longer(fragile const& a, fragile const& b) {
    in_callback();
    return {a.value + b.value, a.text + b.text};
}

void values(trial& now, char const* what) {
    std::string const name = what;
    std::int64_t const all = std::int64_t{now.size()} * (now.size() - 1) / 2;
    fragile mine = fragile_of(now.rank());
    std::vector<fragile> both{mine, mine};
    fragile got;
    if (name == "all_reduce" &&
        now.under_test([&] { got = weft::all_reduce(now.comm(), std::move(mine), longer); }))
        now.expect(got.value == all);
    if (name == "reduce" && now.under_test([&] {
            if (auto there = weft::reduce(now.comm(), std::move(mine), longer, now.size() - 1))
                got = std::move(*there);
        }))
        now.expect(got.value == (now.rank() == now.size() - 1 ? all : 0));
    if (name == "scan" && now.under_test([&] { got = weft::scan(now.comm(), std::move(mine), longer); }))
        now.expect(got.value == std::int64_t{now.rank()} * (now.rank() + 1) / 2);
    if (name == "broadcast" &&
        now.under_test([&] { got = weft::broadcast(now.comm(), std::move(mine), now.size() - 1); }))
        now.expect(got == fragile_of(now.size() - 1));
    std::vector<fragile> list;
    if (name == "all_gather" && now.under_test([&] { list = weft::all_gather(now.comm(), std::move(mine)); }))
        now.expect(std::ssize(list) == now.size() && list.back() == fragile_of(now.size() - 1));
    if (name == "all_gatherv" &&
        now.under_test([&] { list = weft::all_gatherv(now.comm(), std::move(both)); }))
        now.expect(std::ssize(list) == 2 * now.size());
}

std::int64_t added(std::int64_t a, std::int64_t b) {
    in_callback();
    return a + b;
}

void arrays(trial& now, char const* what) {
    std::string const name = what;
    std::vector<std::int64_t> mine(2000, now.rank());
    std::span<std::int64_t> const data(mine);
    std::int64_t const all = std::int64_t{now.size()} * (now.size() - 1) / 2;
    if (name == "all_reduce" && now.under_test([&] { weft::all_reduce(now.comm(), data, added); }))
        now.expect(mine.front() == all && mine.back() == all);
    if (name == "reduce" && now.under_test([&] { weft::reduce(now.comm(), data, added); }))
        now.expect(now.rank() != 0 || mine.back() == all);
    std::span<std::int64_t> share;
    if (name == "reduce_scatter" &&
        now.under_test([&] { share = weft::reduce_scatter(now.comm(), data, added); }))
        now.expect(!share.empty() && share.front() == all);
    if (name == "broadcast" && now.under_test([&] { weft::broadcast(now.comm(), data, now.size() - 1); }))
        now.expect(mine.back() == now.size() - 1);
}

void whole_numbers(trial& now) {
    std::int64_t total = 0;
    std::int64_t most = 0;
    std::int64_t least = 0;
    weft::prefix before;
    std::vector<std::int64_t> all;
    if (now.under_test([&] {
            total = weft::sum(now.comm(), 1);
            most = weft::max(now.comm(), now.rank());
            least = weft::min(now.comm(), now.rank());
            before = weft::exclusive_sum(now.comm(), 1);
            all = weft::all_gather(now.comm(), std::int64_t{now.rank()});
        }))
        now.expect(total == now.size() && most == now.size() - 1 && least == 0 &&
                   before.before == now.rank() && std::ssize(all) == now.size());
}

void gathered_bytes(trial& now) {
    weft::buffer mine(6000);
    weft::buffer own(7000);
    weft::message_list all;
    weft::buffer back;
    if (now.under_test([&] {
            all = weft::gather_bytes(now.comm(), std::move(mine));
            back = weft::broadcast_bytes(now.comm(), std::move(own));
        }))
        now.expect(back.size() == 7000 &&
                   (now.rank() != 0 || (std::ssize(all) == now.size() && all.back().data.size() == 6000)));
}

void agreed_body(trial& now) {
    (void)now.under_test([&] { weft::agreed(now.comm(), [] { in_callback(); }); });
}

void split(trial& now) {
    (void)now.under_test([&] {
        weft::communicator const half = now.comm().split(now.rank() % 2);
        (void)half;
    });
}

} // namespace

std::vector<call> exchange_calls() {
    std::vector<call> all;
    for (weft::protocol const how : weft_test::every_protocol())
        all.push_back(
            {"exchange by " + std::string(weft::name_of(how)), [how](trial& now) { exchange_by(now, how); }});
    all.push_back({"exchange of texts", exchange_of_texts});
    all.push_back({"exchange of texts, flat", exchange_of_new_texts});
    all.push_back({"exchange, flat", flat_exchange});
    all.push_back({"exchange with a callback", exchange_with_callback});
    all.push_back({"exchange_and_sum", exchange_and_its_sum});
    all.push_back({"start_exchange", started_exchange});
    all.push_back({"exchange_plan", made_plan});
    all.push_back({"exchange_plan::exchange", run_plan, told::neighbours});
    all.push_back({"planned_exchange", bound_plan, told::neighbours});
    for (char const* each : {"all_reduce", "reduce", "scan", "broadcast", "all_gather", "all_gatherv"})
        all.push_back({std::string(each) + " of values", [each](trial& now) { values(now, each); }});
    for (char const* each : {"all_reduce", "reduce", "reduce_scatter", "broadcast"})
        all.push_back({std::string(each) + " of arrays", [each](trial& now) { arrays(now, each); }});
    all.push_back({"sum, max, min, exclusive_sum", whole_numbers});
    all.push_back({"gather_bytes", gathered_bytes});
    all.push_back({"agreed", agreed_body});
    all.push_back({"communicator::split", split});
    return all;
}

} // namespace faults
