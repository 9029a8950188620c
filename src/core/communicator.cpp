#include "attribute_key.hpp"
#include "communicator_state.hpp"
#include "expect_mpi.hpp"
#include "left_memory.hpp"
#include "of_rank_0.hpp"
#include "rank_page.hpp"

#include <weft/core/error.hpp>
#include <weft/detail/core/communicator_parts.hpp>
#include <weft/extend/core/epoch.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace weft {

namespace {

/// Returns the topology of the machine, or the one in the settings. Collective.
std::vector<int> nodes_of_machine(all_ranks_here, MPI_Comm comm, int size, settings const& chosen) {
    if (!chosen.ranks_per_node.empty()) return pretend_nodes(chosen.ranks_per_node, size);
    MPI_Comm node = MPI_COMM_NULL;
    expect_mpi(
        MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
    int lowest = 0; // the lowest rank of a node names it
    expect_mpi(MPI_Comm_rank(comm, &lowest), "MPI_Comm_rank");
    expect_mpi(MPI_Bcast(&lowest, 1, MPI_INT, 0, node), "MPI_Bcast");
    std::vector<int> names(static_cast<std::size_t>(size));
    expect_mpi(MPI_Allgather(&lowest, 1, MPI_INT, names.data(), 1, MPI_INT, comm), "MPI_Allgather");
    expect_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
    return names;
}

/// Returns the settings of rank 0's environment, on every rank. Collective.
settings agreed_settings(all_ranks_here here, MPI_Comm comm) {
    return parse_settings(of_rank_0(here, comm, [] { return read_knobs().lines; }));
}

/// Called when the parent is freed, which is the last collective call that all ranks are sure to make. So a
/// window, which no rank can free alone, is freed here, unless a rank still has a handle and may use it.
void free_counters_of_dropped(communicator const& comm) {
    std::shared_ptr<owned_comm> const owned = state_of(comm).owned;
    if (owned->counters == MPI_WIN_NULL) return; // the same on all ranks
    door::pass(comm, "freeing a communicator", [&](all_ranks_here here) {
        int droppable = detail::communicator_parts::is_only_handle(comm) ? 1 : 0;
        expect_mpi(
            MPI_Allreduce(MPI_IN_PLACE, &droppable, 1, MPI_INT, MPI_MIN, owned->comm), "MPI_Allreduce");
        if (droppable != 0) owned->free_counters(here);
    });
}

/// The parent is being freed. The duplicate may still be in use, on this rank or others.
int delete_cached(MPI_Comm, int, void* cached, void*) {
    auto* const held = static_cast<communicator*>(cached);
    try {
        auto const& roots = state_of(*held).roots; // null if the environment frees it
        if (roots && !roots->finalises()) free_counters_of_dropped(*held);
    } catch (std::exception const&) {} // MPI, or the job, is about to end
    state_of(*held).owned->parent_is_gone = true;
    delete held;
    return MPI_SUCCESS;
}

/// Returns the key of the duplicate that is cached on its parent; made once for each process.
int cache_key() {
    static int const key = attribute_key(delete_cached);
    return key;
}

communicator make_child(communicator const& parent, MPI_Comm comm, settings chosen) {
    auto const owned = std::make_shared<owned_comm>(comm);
    state_of(parent).owned->children.push_back(owned);
    return detail::communicator_parts::handle_of(
        *new communicator_state(owned, parent.root(), std::move(chosen)));
}

void expect_color(int least) {
    if (least < 0)
        throw usage_error("split: color " + std::to_string(least) + " is negative; colors count from 0");
}

/// Returns the nodes of the simulated machine, or those in the settings; shared by the ranks.
topology nodes_of_simulated(simulated_ranks& ranks, int rank, int size, settings const& chosen) {
    return ranks
        .nodes([&] {
            if (!chosen.ranks_per_node.empty())
                return topology(rank, pretend_nodes(chosen.ranks_per_node, size));
            std::vector<int> nodes(static_cast<std::size_t>(size));
            for (int r = 0; r < size; ++r) nodes[static_cast<std::size_t>(r)] = ranks.node_of(r);
            return topology(rank, nodes);
        })
        .seen_by(rank);
}

/// Makes a communicator of simulated ranks, without its nodes.
communicator make_simulated(
    std::shared_ptr<simulated_ranks> ranks, std::optional<communicator> above, settings const& chosen) {
    communicator const made = detail::communicator_parts::handle_of(
        *new communicator_state(std::move(ranks), std::move(above), chosen));
    communicator_state& state = state_of(made);
    state.rank = state.simulated->rank();
    state.size = state.simulated->size();
    return made;
}

communicator split_simulated(communicator const& comm, int color, int key) {
    communicator_state const& state = state_of(comm);
    int least = 0;
    auto ranks = state.simulated->split(color, key, least);
    expect_color(least);
    communicator child = make_simulated(std::move(ranks), comm.root(), state.chosen);
    communicator_state& made = state_of(child);
    made.nodes.emplace(made.simulated
                           ->nodes([&] {
                               std::vector<int> nodes(static_cast<std::size_t>(made.size));
                               for (int r = 0; r < made.size; ++r)
                                   nodes[static_cast<std::size_t>(r)] =
                                       comm.topology().node_of(made.simulated->rank_above(r));
                               return topology(made.rank, nodes);
                           })
                           .seen_by(made.rank));
    made.machine = state.machine;
    return child;
}

/// Changes settings; the model stays that of the simulated machine.
communicator simulated_with(communicator const& comm, settings const& changed) {
    communicator_state const& state = state_of(comm);
    int least = 0;
    communicator child = make_simulated(state.simulated->split(0, state.rank, least), comm.root(), changed);
    communicator_state& made = state_of(child);
    made.nodes.emplace(nodes_of_simulated(*made.simulated, made.rank, made.size, changed));
    made.machine = state.machine;
    return child;
}

/// Makes the root for a new duplicate of `parent`. Collective.
communicator make_root(all_ranks_here here, MPI_Comm parent, MPI_Comm made) {
    auto const owned = std::make_shared<owned_comm>(made);
    settings chosen;
    std::shared_ptr<agreed_machine const> machine;
    try {
        chosen = agreed_settings(here, made);
        machine = machine_of_rank_0(here, made, chosen);
    } catch (...) {
        owned->free_all(); // all ranks read the same text and fail alike
        throw;
    }
    communicator const comm = detail::communicator_parts::handle_of(
        *new communicator_state(owned, std::nullopt, std::move(chosen)));
    state_of(comm).nodes.emplace(comm.rank(), nodes_of_machine(here, made, comm.size(), comm.settings()));
    state_of(comm).machine = machine;
    open_rank_page(comm.rank(), comm.size());
    expect_mpi(MPI_Comm_set_attr(parent, cache_key(), new communicator(comm)), "MPI_Comm_set_attr");
    return comm;
}

} // namespace

bool owned_comm::dropped_with_children() const noexcept {
    return dropped && std::ranges::all_of(children, [](auto const& c) { return c->dropped_with_children(); });
}

void owned_comm::free_all() noexcept {
    // Called with all_ranks_here, or for an orphan that all ranks have dropped: an orphan has no window, and
    // MPI frees a communicator without waiting.
    for (auto const& child : children) child->free_all();
    children.clear();
    if (counters != MPI_WIN_NULL) free_window();
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

void owned_comm::free_counters(all_ranks_here) noexcept {
    free_window();
}

void owned_comm::free_window() noexcept {
    if (counters_locked) MPI_Win_unlock_all(counters); // all_ranks_here, as in free_all
    counters_locked = false;
    try {
        expect_mpi(MPI_Win_free(&counters), "MPI_Win_free"); // all_ranks_here, see above
    } catch (std::exception const&) { abort_job_at_once(); }
}

communicator_state::communicator_state(
    std::shared_ptr<owned_comm> handle, std::optional<communicator> above, settings set)
    : owned(std::move(handle)), root(std::move(above)), chosen(std::move(set)), epochs(chosen.tag_window) {
    expect_mpi(MPI_Comm_set_errhandler(owned->comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    expect_mpi(MPI_Comm_rank(owned->comm, &rank), "MPI_Comm_rank");
    expect_mpi(MPI_Comm_size(owned->comm, &size), "MPI_Comm_size");
    if (root) return;
    roots = process_roots::get();
    roots->add(*this);
}

communicator_state::communicator_state(
    std::shared_ptr<simulated_ranks> ranks, std::optional<communicator> above, settings set)
    : simulated(std::move(ranks)), root(std::move(above)), chosen(std::move(set)), epochs(chosen.tag_window) {
}

communicator_state::~communicator_state() {
    if (roots) roots->remove(*this);
    for (; !attachments.empty(); attachments.pop_back()) // newer ones may use older ones
        attachments.back().destroy(attachments.back().what);
    if (simulated) return;
    owned->dropped = true;
    if (roots && owned->parent_is_gone) roots->adopt(owned);
}

void communicator_state::reclaim_children(all_ranks_here) {
    auto& children = owned->children;
    if (children.empty()) return; // the same on all ranks: splits are collective
    std::vector<unsigned char> droppable;
    for (auto const& child : children) droppable.push_back(child->dropped_with_children() ? 1 : 0);
    expect_mpi(MPI_Allreduce(MPI_IN_PLACE, droppable.data(), static_cast<int>(droppable.size()),
                   MPI_UNSIGNED_CHAR, MPI_MIN, owned->comm),
        "MPI_Allreduce");
    std::size_t kept = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
        if (droppable[i] != 0)
            children[i]->free_all();
        else
            children[kept++] = children[i];
    }
    children.resize(kept);
}

communicator::communicator(communicator_state& state) noexcept : state_(&state) {
}

communicator_state& detail::communicator_parts::state(communicator const& comm) noexcept {
    return *comm.state_;
}

communicator detail::communicator_parts::handle_of(communicator_state& state) noexcept {
    return communicator(state);
}

int communicator::rank() const noexcept {
    return state_->rank;
}

int communicator::size() const noexcept {
    return state_->size;
}

weft::topology const& communicator::topology() const noexcept {
    return *state_->nodes;
}

settings const& communicator::settings() const noexcept {
    return state_->chosen;
}

bool epochs_are_full(communicator const& comm) noexcept {
    communicator_state const& state = state_of(comm);
    // Ranks reach the final censuses of open operations in different orders, which MPI's collectives do not
    // allow.
    bool const one_at_a_time = state.chosen.all_reduce == all_reduce_method::collective;
    return state.epochs.full() || (one_at_a_time && state.epochs.open_count() > 0);
}

tag_pool& long_tags(communicator const& comm) noexcept {
    return state_of(comm).long_tags;
}

epoch_lease begin_epoch(communicator const& comm) {
    communicator_state& state = state_of(comm);
    if (state.chosen.all_reduce == all_reduce_method::collective && epochs_are_full(comm))
        throw usage_error(
            "an operation cannot begin while another is open on this communicator, because "
            "WEFT_ALL_REDUCE=collective; complete that first, or use WEFT_ALL_REDUCE=dissemination");
    return epoch_lease(state.epochs);
}

communicator const& communicator::root() const noexcept {
    return state_->root ? *state_->root : *this;
}

communicator communicator::split(int color, int key) const {
    return door::pass(*this, "split", [&](all_ranks_here here) { return split_together(here, color, key); });
}

communicator communicator::split_together(all_ranks_here here, int color, int key) const {
    if (state_->simulated) return split_simulated(*this, color, key);
    // The check is agreed, so that no rank continues alone.
    int least = 0;
    expect_mpi(MPI_Allreduce(&color, &least, 1, MPI_INT, MPI_MIN, state_->owned->comm), "MPI_Allreduce");
    expect_color(least);
    state_->reclaim_children(here);
    MPI_Comm made = MPI_COMM_NULL;
    expect_mpi(MPI_Comm_split(state_->owned->comm, color, key, &made), "MPI_Comm_split");
    communicator child = make_child(*this, made, state_->chosen);

    MPI_Group mine = MPI_GROUP_NULL;
    MPI_Group above = MPI_GROUP_NULL;
    expect_mpi(MPI_Comm_group(made, &mine), "MPI_Comm_group");
    expect_mpi(MPI_Comm_group(state_->owned->comm, &above), "MPI_Comm_group");
    std::vector<int> ranks(static_cast<std::size_t>(child.size()));
    for (std::size_t r = 0; r < ranks.size(); ++r) ranks[r] = static_cast<int>(r);
    std::vector<int> nodes(ranks.size());
    expect_mpi(MPI_Group_translate_ranks(mine, child.size(), ranks.data(), above, nodes.data()),
        "MPI_Group_translate_ranks");
    MPI_Group_free(&mine);
    MPI_Group_free(&above);
    for (int& node : nodes) node = topology().node_of(node);
    child.state_->nodes.emplace(child.rank(), nodes);
    child.state_->machine = state_->machine;
    return child;
}

communicator communicator::with(weft::settings const& changed) const {
    check(changed);
    return door::pass(*this, "with", [&](all_ranks_here here) { return with_together(here, changed); });
}

communicator communicator::with_together(all_ranks_here here, weft::settings const& changed) const {
    if (state_->simulated) return simulated_with(*this, changed);
    state_->reclaim_children(here);
    MPI_Comm made = MPI_COMM_NULL;
    expect_mpi(MPI_Comm_dup(state_->owned->comm, &made), "MPI_Comm_dup");
    communicator child = make_child(*this, made, changed);
    child.state_->nodes.emplace(child.rank(), nodes_of_machine(here, made, child.size(), changed));
    child.state_->machine =
        changed.machine == settings().machine ? state_->machine : machine_of_rank_0(here, made, changed);
    return child;
}

bool detail::communicator_parts::is_only_handle(communicator const& comm) noexcept {
    return is_only_pointer(*comm.state_);
}

void* detail::communicator_parts::find_attachment(
    communicator const& comm, std::type_info const& type) noexcept {
    auto const& attachments = state(comm).attachments;
    // Comparing types may compare their names; comparing addresses first is nearly always enough.
    for (attached const& each : attachments)
        if (each.type == &type) return each.what;
    for (attached const& each : attachments)
        if (*each.type == type) return each.what;
    return nullptr;
}

void detail::communicator_parts::attach(
    communicator const& comm, std::type_info const& type, void* object, void (*destroy)(void*)) {
    state(comm).attachments.push_back({&type, object, destroy});
}

communicator make_simulated_root(std::shared_ptr<simulated_ranks> ranks, settings const& chosen,
    std::shared_ptr<agreed_machine const> machine) {
    communicator made = make_simulated(std::move(ranks), std::nullopt, chosen);
    communicator_state& state = state_of(made);
    state.nodes.emplace(nodes_of_simulated(*state.simulated, state.rank, state.size, chosen));
    state.machine = std::move(machine);
    return made;
}

communicator make_communicator(MPI_Comm parent) {
    if (is_simulated_rank())
        throw usage_error("make_communicator: a simulated rank has no communicators of MPI; use the one that "
                          "`run` gives");
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (finalised != 0)
        throw usage_error("make_communicator: MPI has been finalised; make communicators before that");
    int const key = cache_key();
    void* cached = nullptr;
    int found = 0;
    expect_mpi(MPI_Comm_get_attr(parent, key, static_cast<void*>(&cached), &found), "MPI_Comm_get_attr");
    if (found != 0) return *static_cast<communicator*>(cached);

    std::shared_ptr<process_roots> const roots = process_roots::get();
    roots->free_orphans();
    struct duplicate {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Request under_way = MPI_REQUEST_NULL;
    };
    auto made = std::make_unique<duplicate>();
    std::vector<communicator> stepped = roots->all();
    expect_mpi(MPI_Comm_idup(parent, &made->comm, &made->under_way), "MPI_Comm_idup");
    // If several threads may call MPI at once, other roots may belong to them.
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    auto const arrived = [&] {
        int complete = 0;
        expect_mpi(MPI_Test(&made->under_way, &complete, MPI_STATUS_IGNORE), "MPI_Test");
        return complete != 0;
    };
    if (level == MPI_THREAD_MULTIPLE) stepped.clear();
    try {
        return door::pass_first(
            stepped, arrived, [&](all_ranks_here here) { return make_root(here, parent, made->comm); });
    } catch (std::bad_alloc const&) {
        leave_to_mpi(std::move(made)); // it may still be at work on the duplicate
        throw;
    }
}

MPI_Comm native_handle(communicator const& comm) {
    if (state_of(comm).simulated)
        throw usage_error("native_handle: the ranks of this communicator are simulated, and MPI does not "
                          "know them");
    return state_of(comm).owned->comm;
}

void throw_mpi_error(int code, char const* call) {
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    bool const has_text = MPI_Error_string(code, text, &length) == MPI_SUCCESS;
    std::string const what =
        has_text ? std::string(text, static_cast<std::size_t>(length)) : "error " + std::to_string(code);
    throw mpi_error(std::string(call) + ": " + what, code);
}

void release_world(all_ranks_here) {
    close_rank_page();
    void* cached = nullptr;
    int found = 0;
    expect_mpi(MPI_Comm_get_attr(MPI_COMM_WORLD, cache_key(), static_cast<void*>(&cached), &found),
        "MPI_Comm_get_attr");
    if (found == 0) return;
    communicator_state& world = state_of(*static_cast<communicator*>(cached));
    std::shared_ptr<owned_comm> const owned = world.owned;
    world.roots->remove(world);
    world.roots.reset(); // freed now, not when its parent is gone
    expect_mpi(MPI_Comm_delete_attr(MPI_COMM_WORLD, cache_key()), "MPI_Comm_delete_attr");
    // On some ranks, a handle may outlive the environment.
    int droppable = owned->dropped_with_children() ? 1 : 0;
    expect_mpi(MPI_Allreduce(MPI_IN_PLACE, &droppable, 1, MPI_INT, MPI_MIN, owned->comm), "MPI_Allreduce");
    if (droppable != 0) owned->free_all();
}

} // namespace weft
