#include "bench.hpp"
#include "options/number_check.hpp"
#include "report/terminal.hpp"

#include <weft/blocks/block_reduction.hpp>
#include <weft/blocks/block_set.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/collective/arrays.hpp>
#include <weft/mpi.hpp>

#include <rendering/transfer.hpp>

#include <radix_k.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace weft::tool {

namespace {

/// The operators, as functions of two elements and as MPI knows them.
struct sum_of_floats {
    using element = float;
    static constexpr char const* name = "sum";
    static float initial() noexcept { return 0; } // so that it stays finite
    float operator()(float a, float b) const noexcept { return a + b; }
};
struct over_of_pixels {
    using element = rgba;
    static constexpr char const* name = "over";
    static rgba initial() noexcept { return {0.25F, 0.125F, 0, 0.5F}; }
    rgba operator()(rgba const& front, rgba const& behind) const noexcept { return over(front, behind); }
};
struct nothing_at_all {
    using element = float;
    static constexpr char const* name = "none";
    static float initial() noexcept { return 0; }
    float operator()(float a, float) const noexcept { return a; }
};

/// Of MPI's definition: inout[i] = in[i] op inout[i].
template <class Operator>
void combine_for_mpi(void* in, void* inout, int* count, MPI_Datatype*) {
    using element = typename Operator::element;
    auto const* const __restrict left = static_cast<element const*>(in);
    auto* const __restrict right = static_cast<element*>(inout);
    for (int i = 0; i < *count; ++i) right[i] = Operator()(left[i], right[i]);
}

/// An operator and its elements for MPI; what MPI has itself is taken from there.
template <class Operator>
class mpi_operator {
public:
    mpi_operator() {
        check_mpi(MPI_Type_contiguous(sizeof(typename Operator::element) / sizeof(float), MPI_FLOAT, &type_),
            "MPI_Type_contiguous");
        check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
        check_mpi(MPI_Op_create(combine_for_mpi<Operator>, 0, &made_), "MPI_Op_create");
    }
    ~mpi_operator() {
        MPI_Op_free(&made_);
        MPI_Type_free(&type_);
    }
    mpi_operator(mpi_operator const&) = delete;
    mpi_operator& operator=(mpi_operator const&) = delete;

    static constexpr bool is_sum = std::is_same_v<Operator, sum_of_floats>;
    [[nodiscard]] MPI_Op operation() const noexcept { return is_sum ? MPI_SUM : made_; }
    [[nodiscard]] MPI_Datatype type() const noexcept { return is_sum ? MPI_FLOAT : type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    MPI_Op made_ = MPI_OP_NULL;
};

/// Arrays of all ranks, or of their blocks, reduced to one, to shares, and to all.
class bench_reduce final : public benchmark {
public:
    explicit bench_reduce(CLI::App& bench) {
        parser_ = bench.add_subcommand("reduce",
            "Compare merges, swaps and all-reductions of arrays on ranks and on blocks with MPI's "
            "reductions and with a radix-k written by hand");
        parser_->add_option("--bytes", bytes_, "Sizes of a rank's array")
            ->check(at_least(16))
            ->capture_default_str();
        parser_->add_option("--operator", operators_, "Operators: none does nothing, over composes pixels")
            ->check(CLI::IsMember({"none", "sum", "over"}))
            ->capture_default_str();
        parser_->add_option("--k,-k", k_, "Sizes of groups, for blocks")
            ->check(at_least(2))
            ->capture_default_str();
        parser_
            ->add_option("--blocks", blocks_, "Number of blocks of a rank, which divide its array among them")
            ->check(at_least(1))
            ->capture_default_str();
        parser_
            ->add_option("--threads", threads_, "Number of threads of a rank that combine arrays of blocks")
            ->check(at_least(1))
            ->capture_default_str();
    }

    void run(communicator const& comm, bench_table& table) override {
        for (std::string const& name : operators_) {
            if (name == "none") run_operator<nothing_at_all>(comm, table);
            if (name == "sum") run_operator<sum_of_floats>(comm, table);
            if (name == "over") run_operator<over_of_pixels>(comm, table);
        }
    }

private:
    template <class Operator>
    void run_operator(communicator const& comm, bench_table& table) const {
        for (std::int64_t const bytes : bytes_) run_size<Operator>(comm, table, bytes);
    }

    template <class Operator>
    void run_size(communicator const& comm, bench_table& table, std::int64_t bytes) const {
        using element = typename Operator::element;
        auto const elements = static_cast<std::size_t>(bytes) / sizeof(element);
        std::vector<element> mine(elements, Operator::initial());
        std::vector<element> result(elements);
        mpi_operator<Operator> const by_mpi;
        MPI_Comm const raw = native_handle(comm);
        auto const count = static_cast<int>(elements);
        std::vector<int> shares(static_cast<std::size_t>(comm.size()));
        for (std::size_t r = 0; r < shares.size(); ++r)
            shares[r] = static_cast<int>(elements * (r + 1) / shares.size() - elements * r / shares.size());

        std::int64_t const rounds = std::clamp<std::int64_t>((4 << 20) / bytes, 1, 200);
        auto const repeated = [rounds](auto&& once) {
            return [rounds, once] {
                for (std::int64_t round = 0; round < rounds; ++round) once();
            };
        };
        auto const what = [&](char const* kind) {
            return bench_case{"reduce", fmt::format("{} {} {}", kind, Operator::name, bytes_as_text(bytes)),
                bytes, 0, static_cast<double>(bytes * rounds) / 1e6, "MB/s"};
        };
        std::span<element> const data(mine);
        std::vector<bench_subject> merges{
            {"MPI_Reduce", repeated([&] {
                 MPI_Reduce(mine.data(), result.data(), count, by_mpi.type(), by_mpi.operation(), 0, raw);
             })},
            {"reduce", repeated([&] { reduce(comm, data, Operator()); })}};
        limits::radix_k by_hand(comm, group_sizes(comm.size(), 8));
        Operator combine;
        element_operator<element, Operator> erased(combine);
        std::vector<bench_subject> swaps{{"MPI_Reduce_scatter", repeated([&] {
                                              MPI_Reduce_scatter(mine.data(), result.data(), shares.data(),
                                                  by_mpi.type(), by_mpi.operation(), raw);
                                          })},
            {"radix-k by hand",
                repeated([&] { by_hand.run(std::as_writable_bytes(data), sizeof(element), erased); })},
            {"reduce_scatter", repeated([&] { (void)reduce_scatter(comm, data, Operator()); })}};

        std::vector<std::unique_ptr<block_set<std::vector<element>>>> sets;
        for (std::int64_t const each : blocks_) {
            std::int64_t const number = each * comm.size();
            sets.push_back(std::make_unique<block_set<std::vector<element>>>(
                comm, regular_grid<double>({1, {}, {1}}, number), [&](block_id) {
                    return std::vector<element>(
                        elements / static_cast<std::size_t>(each), Operator::initial());
                }));
            block_set<std::vector<element>>& blocks = *sets.back();
            for (int const k : k_) {
                if (k > std::max<std::int64_t>(number, 2)) continue;
                auto const array = [](std::vector<element>& block, block_id) { return std::span(block); };
                auto const add = [&](std::vector<bench_subject>& to, regular_schedule const& schedule) {
                    for (int const threads : threads_)
                        to.push_back({fmt::format("{} blocks, k={}{}", each, k,
                                          threads == 1 ? "" : fmt::format(", {} threads", threads)),
                            repeated([&blocks, array, schedule, threads] {
                                swap_reduce<element>(blocks, schedule, array, Operator(),
                                    [](std::vector<element>&, block_id, std::span<element>, std::size_t) {},
                                    {.threads = threads});
                            })});
                };
                if (number == 1) continue;
                add(merges, merge_schedule(number, k));
                add(swaps, swap_schedule(number, k));
            }
        }
        table.measure(what("merge"), merges);
        table.measure(what("swap"), swaps);
        table.measure(what("all"),
            {{"MPI_Allreduce", repeated([&] {
                  MPI_Allreduce(mine.data(), result.data(), count, by_mpi.type(), by_mpi.operation(), raw);
              })},
                {"all_reduce", repeated([&] { all_reduce(comm, data, Operator()); })}});
    }

    std::vector<std::int64_t> bytes_{4 << 10, 64 << 10, 1 << 20, 16 << 20};
    std::vector<std::string> operators_{"none", "sum", "over"};
    std::vector<int> k_{2, 4, 8};
    std::vector<std::int64_t> blocks_{1, 4};
    std::vector<int> threads_{1};
};

} // namespace

std::unique_ptr<benchmark> make_bench_reduce(CLI::App& bench) {
    return std::make_unique<bench_reduce>(bench);
}

} // namespace weft::tool
