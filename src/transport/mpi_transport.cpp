#include <weft/extend/transport/mpi_transport.hpp>

#include "rank_locals.hpp"
#include "remote_counters.hpp"
#include "share_memory.hpp"

#include <core/communicator_state.hpp>
#include <core/expect_mpi.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/core/communicator_parts.hpp>
#include <weft/extend/core/attachment.hpp>
#include <weft/mpi.hpp>
#include <weft/observe/timeline.hpp>

#include <algorithm>
#include <climits>
#include <vector>

namespace weft {

namespace {

/// A number of bytes for MPI: up to 2 GiB as MPI_BYTE, else as one datatype of whole chunks and a rest.
class byte_count {
public:
    explicit byte_count(std::size_t bytes) {
        if (bytes <= INT_MAX) {
            count_ = static_cast<int>(bytes);
            return;
        }
        constexpr std::size_t chunk = std::size_t{1} << 20;
        int const lengths[2] = {static_cast<int>(bytes / chunk), static_cast<int>(bytes % chunk)};
        MPI_Aint const offsets[2] = {0, static_cast<MPI_Aint>(bytes - bytes % chunk)};
        MPI_Datatype chunk_type = MPI_DATATYPE_NULL;
        expect_mpi(
            MPI_Type_contiguous(static_cast<int>(chunk), MPI_BYTE, &chunk_type), "MPI_Type_contiguous");
        MPI_Datatype const types[2] = {chunk_type, MPI_BYTE};
        expect_mpi(MPI_Type_create_struct(2, lengths, offsets, types, &type_), "MPI_Type_create_struct");
        expect_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
        expect_mpi(MPI_Type_free(&chunk_type), "MPI_Type_free");
        count_ = 1;
    }
    byte_count(byte_count const&) = delete;
    byte_count& operator=(byte_count const&) = delete;
    ~byte_count() {
        if (type_ != MPI_BYTE) MPI_Type_free(&type_); // MPI keeps it until its uses are complete
    }

    [[nodiscard]] int count() const noexcept { return count_; }
    [[nodiscard]] MPI_Datatype type() const noexcept { return type_; }

private:
    int count_ = 0;
    MPI_Datatype type_ = MPI_BYTE;
};

void combine_census(void* in, void* inout, int* length, MPI_Datatype*) {
    auto const* const from = static_cast<census_value const*>(in);
    auto* const into = static_cast<census_value*>(inout);
    for (int i = 0; i < *length; ++i) into[i] = combine(into[i], from[i]);
}

class mpi_transport final : public transport {
public:
    explicit mpi_transport(communicator const& comm)
        : state_(detail::communicator_parts::state(comm)),
          comm_(native_handle(comm)),
          rank_(comm.rank()),
          size_(comm.size()),
          matched_(comm.settings().probe == probe_method::matched),
          lane_(timeline_of(comm)),
          has_ranks_of_root_(comm.size() == comm.root().size() && comm.rank() == comm.root().rank()),
          counters_(comm) {}

    ~mpi_transport() override {
        int finalised = 0; // a handle may outlive the environment
        MPI_Finalized(&finalised);
        if (census_op_ == MPI_OP_NULL || finalised != 0) return;
        MPI_Op_free(&census_op_);
        MPI_Type_free(&census_type_);
    }

    [[nodiscard]] int rank() const noexcept override { return rank_; }
    [[nodiscard]] int size() const noexcept override { return size_; }

    [[nodiscard]] request send(
        int destination, int tag, std::span<std::byte const> bytes, send_mode mode) override {
        byte_count const n(bytes.size());
        request const made = new_slot();
        MPI_Request& slot = slot_of(made);
        if (lane_.on() && has_ranks_of_root_) lane_.message(true, destination, tag, bytes.size());
        if (mode == send_mode::synchronous)
            expect_mpi(
                MPI_Issend(bytes.data(), n.count(), n.type(), destination, tag, comm_, &slot), "MPI_Issend");
        else
            expect_mpi(
                MPI_Isend(bytes.data(), n.count(), n.type(), destination, tag, comm_, &slot), "MPI_Isend");
        return made;
    }

    [[nodiscard]] request receive(int source, int tag, std::span<std::byte> room) override {
        byte_count const n(room.size());
        request const made = new_slot();
        expect_mpi(
            MPI_Irecv(room.data(), n.count(), n.type(), source, tag, comm_, &slot_of(made)), "MPI_Irecv");
        return made;
    }

    [[nodiscard]] std::optional<envelope> probe(int source, int tag) override {
        int const from = source == any_source ? MPI_ANY_SOURCE : source;
        int found = 0;
        MPI_Status status;
        message_ = MPI_MESSAGE_NULL;
        if (matched_)
            expect_mpi(MPI_Improbe(from, tag, comm_, &found, &message_, &status), "MPI_Improbe");
        else
            expect_mpi(MPI_Iprobe(from, tag, comm_, &found, &status), "MPI_Iprobe");
        if (found == 0) return std::nullopt;
        int count = 0;
        expect_mpi(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
        MPI_Count bytes = count;
        if (count == MPI_UNDEFINED) // too large for an int
            expect_mpi(MPI_Get_elements_x(&status, MPI_BYTE, &bytes), "MPI_Get_elements_x");
        if (lane_.on() && has_ranks_of_root_)
            lane_.message(false, status.MPI_SOURCE, tag, static_cast<std::size_t>(bytes));
        return envelope{status.MPI_SOURCE, tag, static_cast<std::int64_t>(bytes)};
    }

    [[nodiscard]] request receive(envelope const& message, std::span<std::byte> room) override {
        // Without a matched probe, the first message in order from this source is the one found by the probe.
        if (!matched_) return receive(message.source, message.tag, room);
        byte_count const n(room.size());
        request const made = new_slot();
        expect_mpi(MPI_Imrecv(room.data(), n.count(), n.type(), &message_, &slot_of(made)), "MPI_Imrecv");
        return made;
    }

    [[nodiscard]] bool test(request& pending) override {
        if (!pending) return true;
        int complete = 0;
        expect_mpi(MPI_Test(&slot_of(pending), &complete, MPI_STATUS_IGNORE), "MPI_Test");
        if (complete == 0) return false;
        if (slot_of(pending) != MPI_REQUEST_NULL) return true; // a prepared request is now inactive
        free_.push_back(pending.slot);
        pending = {};
        return true;
    }

    [[nodiscard]] request prepare_send(int destination, int tag, std::span<std::byte const> bytes) override {
        byte_count const n(bytes.size());
        request const made = new_slot();
        expect_mpi(MPI_Send_init(bytes.data(), n.count(), n.type(), destination, tag, comm_, &slot_of(made)),
            "MPI_Send_init");
        return made;
    }

    [[nodiscard]] request prepare_receive(int source, int tag, std::span<std::byte> room) override {
        byte_count const n(room.size());
        request const made = new_slot();
        expect_mpi(MPI_Recv_init(room.data(), n.count(), n.type(), source, tag, comm_, &slot_of(made)),
            "MPI_Recv_init");
        return made;
    }

    void start(request prepared) override { expect_mpi(MPI_Start(&slot_of(prepared)), "MPI_Start"); }

    void discard(request& prepared) override {
        if (!prepared) return;
        int finalised = 0; // a plan may outlive the environment
        MPI_Finalized(&finalised);
        if (finalised == 0)
            MPI_Request_free(&slot_of(prepared)); // destructors call this, so errors are ignored
        free_.push_back(prepared.slot);
        prepared = {};
    }

    [[nodiscard]] request all_to_all(
        std::span<std::int64_t const> mine, std::span<std::int64_t> theirs) override {
        request const made = new_slot();
        expect_mpi(
            MPI_Ialltoall(mine.data(), 1, MPI_INT64_T, theirs.data(), 1, MPI_INT64_T, comm_, &slot_of(made)),
            "MPI_Ialltoall");
        return made;
    }

    [[nodiscard]] request reduce_scatter(std::span<std::int64_t const> mine, std::int64_t& sum) override {
        request const made = new_slot();
        // Unsigned words, since they wrap on overflow.
        expect_mpi(
            MPI_Ireduce_scatter_block(mine.data(), &sum, 1, MPI_UINT64_T, MPI_SUM, comm_, &slot_of(made)),
            "MPI_Ireduce_scatter_block");
        return made;
    }

    [[nodiscard]] request all_reduce(census_value const& mine, census_value& combined) override {
        if (census_op_ == MPI_OP_NULL) {
            expect_mpi(
                MPI_Type_contiguous(sizeof(census_value), MPI_BYTE, &census_type_), "MPI_Type_contiguous");
            expect_mpi(MPI_Type_commit(&census_type_), "MPI_Type_commit");
            expect_mpi(MPI_Op_create(combine_census, 1, &census_op_), "MPI_Op_create");
        }
        request const made = new_slot();
        expect_mpi(MPI_Iallreduce(&mine, &combined, 1, census_type_, census_op_, comm_, &slot_of(made)),
            "MPI_Iallreduce");
        return made;
    }

    [[nodiscard]] bool open_counters(int count) override { return counters_.open(count); }

    [[nodiscard]] request add_remote(int target, int counter, std::int64_t amount) override {
        request const made = new_slot();
        expect_mpi(counters_.add(static_cast<std::size_t>(made.slot), target, counter, amount, slot_of(made)),
            "MPI_Rget_accumulate");
        return made;
    }

    [[nodiscard]] std::int64_t take_counter(int counter) override { return counters_.take(counter); }

    [[nodiscard]] shared_memory share(topology const& nodes, std::size_t bytes) override {
        return door::pass(detail::communicator_parts::handle_of(state_), "sharing memory",
            [&](all_ranks_here here) { return share_memory(here, comm_, nodes, bytes); });
    }

    [[nodiscard]] double seconds() const noexcept override { return MPI_Wtime(); }

private:
    request new_slot() {
        if (free_.empty()) add_slot();
        request const made{free_.back()};
        free_.pop_back();
        return made;
    }
    /// Changes nothing if there is no memory; and as all slots have room in `free_`, `test` needs none.
    void add_slot() {
        if (slots_.size() == slots_.capacity()) {
            std::size_t const more = std::max<std::size_t>(16, 2 * slots_.size());
            free_.reserve(more);
            slots_.reserve(more);
        }
        free_.push_back(static_cast<std::int32_t>(slots_.size()));
        slots_.push_back(MPI_REQUEST_NULL);
    }
    MPI_Request& slot_of(request made) { return slots_[static_cast<std::size_t>(made.slot)]; }

    communicator_state& state_;
    MPI_Comm comm_;
    int rank_;
    int size_;
    bool matched_;
    timeline& lane_;
    bool has_ranks_of_root_; // else the timeline cannot name a message's source; a split may reorder ranks
    remote_counters counters_;
    MPI_Message message_ = MPI_MESSAGE_NULL; // found by the last probe
    std::vector<MPI_Request> slots_;
    std::vector<std::int32_t> free_;
    MPI_Datatype census_type_ = MPI_DATATYPE_NULL;
    MPI_Op census_op_ = MPI_OP_NULL;
};

} // namespace

void end_by_mpi_error(int code, char const* call) {
    try {
        throw_mpi_error(code, call);
    } catch (mpi_error const&) {
        lone_failure_state& lone = lone_failure_here();
        if (!lone.thrown) lone = {std::current_exception(), "a call of MPI"};
        some_rank_has_failed_alone = true;
        throw;
    }
}

transport& transport_of(communicator const& comm) {
    if (auto const& simulated = detail::communicator_parts::state(comm).simulated) return simulated->via();
    return attachment<mpi_transport>(comm, comm);
}

} // namespace weft
