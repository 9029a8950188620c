/// The functions of MPI that Weft calls, for a process that is alone, with the standard ABI of MPI 5: the
/// wheel has this library beside its extensions, and takes it where there is no MPI (docs/adr/0227).
///
/// Messages go from this rank to itself, in order for each communicator and tag. A send is complete when its
/// message has been received, so that no message is copied twice and a synchronous one is like any other.
/// Collectives are copies, complete when they return; requests of theirs are MPI_REQUEST_NULL, for which
/// every test says "complete". Errors are returned, whatever the handler of errors. One lock around all: any
/// number of threads may call.
#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

// The handles of the standard are pointers to these.
struct MPI_ABI_Datatype {
    std::size_t bytes = 0;
};

struct MPI_ABI_Op {};

struct MPI_ABI_Group {};

struct MPI_ABI_Request {
    enum class kind { send, receive };
    kind is = kind::send;
    bool persistent = false;
    bool active = false;
    bool complete = false;
    bool released = false; ///< by MPI_Request_free, while it was active
    char* buffer = nullptr;
    std::size_t bytes = 0; ///< of the buffer; of a receive that is complete, those that came
    int source = 0;
    int tag = 0;
    int error = MPI_SUCCESS;
    MPI_ABI_Comm* comm = nullptr;
};

struct MPI_ABI_Message {
    MPI_ABI_Request* send = nullptr;
};

struct MPI_ABI_Comm {
    std::map<int, void*> attributes;
    std::list<MPI_ABI_Request*> sends;    ///< without a receive, in order
    std::list<MPI_ABI_Request*> receives; ///< without a message, in order
};

struct MPI_ABI_Win {
    std::unique_ptr<char[]> memory;
    MPI_Aint bytes = 0;
    int displacement = 1;
    int model = MPI_WIN_UNIFIED;
};

namespace {

using request = MPI_ABI_Request;

struct key {
    MPI_Comm_delete_attr_function* on_delete = nullptr;
    void* extra = nullptr;
};

struct state {
    std::recursive_mutex lock; // functions that delete attributes call again
    MPI_ABI_Comm world;
    MPI_ABI_Comm self;
    MPI_ABI_Group group;
    std::map<int, key> keys;
    int next_key = 5000;
    int level = MPI_THREAD_SINGLE;
    bool initialised = false;
    bool finalised = false;
};

state& process() {
    static auto* const kept = new state; // processes end in any order
    return *kept;
}

using guard = std::lock_guard<std::recursive_mutex>;

MPI_ABI_Comm* communicator(MPI_Comm handle) {
    if (handle == MPI_COMM_WORLD) return &process().world;
    if (handle == MPI_COMM_SELF) return &process().self;
    return handle == MPI_COMM_NULL ? nullptr : handle;
}

std::size_t bytes_of(MPI_Datatype type) {
    if (type == MPI_BYTE || type == MPI_CHAR || type == MPI_UNSIGNED_CHAR) return 1;
    if (type == MPI_INT) return sizeof(int);
    if (type == MPI_INT64_T || type == MPI_UINT64_T) return 8;
    return type->bytes;
}

bool is_built_in(MPI_Datatype type) {
    return reinterpret_cast<std::uintptr_t>(type) < 0x1000;
}

int copy(void const* from, void* to, int count, MPI_Datatype type) {
    if (from != MPI_IN_PLACE && count > 0)
        std::memcpy(to, from, static_cast<std::size_t>(count) * bytes_of(type));
    return MPI_SUCCESS;
}

void tell(MPI_Status* status, int source, int tag, std::size_t bytes, int error = MPI_SUCCESS) {
    if (status == MPI_STATUS_IGNORE) return;
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    status->MPI_ERROR = error;
    std::memcpy(status->MPI_internal, &bytes, sizeof bytes);
}

std::size_t bytes_in(MPI_Status const* status) {
    std::size_t bytes = 0;
    std::memcpy(&bytes, status->MPI_internal, sizeof bytes);
    return bytes;
}

void finish(request* done) {
    done->complete = true;
    if (done->released) delete done;
}

void deliver(request* send, request* receive) {
    std::size_t const room = receive->bytes;
    receive->bytes = send->bytes < room ? send->bytes : room;
    receive->error = send->bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    receive->source = 0;
    receive->tag = send->tag;
    if (receive->bytes > 0) std::memcpy(receive->buffer, send->buffer, receive->bytes);
    finish(send);
    finish(receive);
}

bool fits(int wanted_source, int wanted_tag, int tag) {
    return (wanted_source == MPI_ANY_SOURCE || wanted_source == 0) &&
           (wanted_tag == MPI_ANY_TAG || wanted_tag == tag);
}

void begin(request* started) {
    started->active = true;
    started->complete = false;
    MPI_ABI_Comm& comm = *started->comm;
    if (started->is == request::kind::send) {
        for (auto each = comm.receives.begin(); each != comm.receives.end(); ++each)
            if (fits((*each)->source, (*each)->tag, started->tag)) {
                request* const receive = *each;
                comm.receives.erase(each);
                return deliver(started, receive);
            }
        comm.sends.push_back(started);
    } else {
        for (auto each = comm.sends.begin(); each != comm.sends.end(); ++each)
            if (fits(started->source, started->tag, (*each)->tag)) {
                request* const send = *each;
                comm.sends.erase(each);
                return deliver(send, started);
            }
        comm.receives.push_back(started);
    }
}

int make(request::kind is, bool persistent, void const* buffer, int count, MPI_Datatype type, int peer,
    int tag, MPI_Comm comm, MPI_Request* made) {
    if (peer != 0 && !(is == request::kind::receive && peer == MPI_ANY_SOURCE)) return MPI_ERR_RANK;
    guard const held(process().lock);
    auto* const fresh = new request;
    fresh->is = is;
    fresh->persistent = persistent;
    fresh->buffer = static_cast<char*>(const_cast<void*>(buffer));
    fresh->bytes = static_cast<std::size_t>(count) * bytes_of(type);
    fresh->source = peer;
    fresh->tag = tag;
    fresh->comm = communicator(comm);
    *made = fresh;
    if (!persistent) begin(fresh);
    return MPI_SUCCESS;
}

/// True if the request is complete; it is over then, or inactive.
bool is_over(MPI_Request* pending, MPI_Status* status, int& error) {
    request* const each = *pending;
    error = MPI_SUCCESS;
    if (each == MPI_REQUEST_NULL || !each->active) {
        tell(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
        return true;
    }
    if (!each->complete) return false;
    error = each->error;
    tell(status, each->source, each->tag, each->bytes, error);
    each->active = false;
    if (!each->persistent) {
        delete each;
        *pending = MPI_REQUEST_NULL;
    }
    return true;
}

request* first_message(MPI_Comm comm, int source, int tag, bool taken) {
    auto& sends = communicator(comm)->sends;
    for (auto each = sends.begin(); each != sends.end(); ++each)
        if (fits(source, tag, (*each)->tag)) {
            request* const found = *each;
            if (taken) sends.erase(each);
            return found;
        }
    return nullptr;
}

int new_communicator(MPI_Comm* made) {
    *made = new MPI_ABI_Comm;
    return MPI_SUCCESS;
}

void drop_attributes(MPI_Comm handle) {
    auto& attributes = communicator(handle)->attributes;
    while (!attributes.empty()) {
        auto const [number, value] = *attributes.rbegin();
        attributes.erase(number);
        key const of = process().keys[number];
        if (of.on_delete != nullptr) of.on_delete(handle, number, value, of.extra);
    }
}

int new_window(MPI_Aint bytes, int displacement, void* base, MPI_Win* made) {
    auto* const fresh = new MPI_ABI_Win;
    fresh->memory = std::make_unique<char[]>(static_cast<std::size_t>(bytes));
    fresh->bytes = bytes;
    fresh->displacement = displacement;
    char* const first = fresh->memory.get();
    std::memcpy(base, &first, sizeof first);
    *made = fresh;
    return MPI_SUCCESS;
}

} // namespace

extern "C" {

// The process.

int MPI_Init_thread(int*, char***, int wanted, int* provided) {
    process().initialised = true;
    *provided = process().level = wanted;
    return MPI_SUCCESS;
}

int MPI_Initialized(int* flag) {
    *flag = process().initialised ? 1 : 0;
    return MPI_SUCCESS;
}

int MPI_Query_thread(int* provided) {
    *provided = process().level;
    return MPI_SUCCESS;
}

int MPI_Finalize() {
    drop_attributes(MPI_COMM_SELF); // first, as the standard says: their functions may call
    drop_attributes(MPI_COMM_WORLD);
    process().finalised = true;
    return MPI_SUCCESS;
}

int MPI_Finalized(int* flag) {
    *flag = process().finalised ? 1 : 0;
    return MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm, int code) {
    std::fflush(nullptr);
    std::_Exit(code == 0 ? 1 : code);
}

double MPI_Wtime() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int MPI_Get_library_version(char* text, int* length) {
    *length =
        std::snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING, "no MPI: one rank, by the Weft package itself");
    return MPI_SUCCESS;
}

int MPI_Error_string(int code, char* text, int* length) {
    char const* const said = code == MPI_ERR_TRUNCATE ? "a message is longer than the memory for it"
                             : code == MPI_ERR_RANK   ? "there is no such rank; without an MPI there is one"
                                                      : "an error without a text";
    *length = std::snprintf(text, MPI_MAX_ERROR_STRING, "%s", said);
    return MPI_SUCCESS;
}

// Communicators, their attributes and groups.

int MPI_Comm_rank(MPI_Comm, int* rank) {
    *rank = 0;
    return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm, int* size) {
    *size = 1;
    return MPI_SUCCESS;
}

int MPI_Comm_test_inter(MPI_Comm, int* flag) {
    *flag = 0;
    return MPI_SUCCESS;
}

int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler) {
    return MPI_SUCCESS;
}

int MPI_Comm_dup(MPI_Comm, MPI_Comm* made) {
    return new_communicator(made);
}

int MPI_Comm_idup(MPI_Comm, MPI_Comm* made, MPI_Request* pending) {
    *pending = MPI_REQUEST_NULL;
    return new_communicator(made);
}

int MPI_Comm_split(MPI_Comm, int color, int, MPI_Comm* made) {
    *made = MPI_COMM_NULL;
    return color == MPI_UNDEFINED ? MPI_SUCCESS : new_communicator(made);
}

int MPI_Comm_split_type(MPI_Comm, int type, int, MPI_Info, MPI_Comm* made) {
    *made = MPI_COMM_NULL;
    return type == MPI_UNDEFINED ? MPI_SUCCESS : new_communicator(made);
}

int MPI_Comm_free(MPI_Comm* comm) {
    guard const held(process().lock);
    drop_attributes(*comm);
    delete *comm;
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* on_copy, MPI_Comm_delete_attr_function* on_delete,
    int* number, void* extra) {
    if (on_copy != MPI_COMM_NULL_COPY_FN) return MPI_ERR_ARG; // duplicates have no attributes here
    guard const held(process().lock);
    *number = process().next_key++;
    process().keys[*number] = {on_delete, extra};
    return MPI_SUCCESS;
}

int MPI_Comm_get_attr(MPI_Comm comm, int number, void* value, int* found) {
    guard const held(process().lock);
    auto const& attributes = communicator(comm)->attributes;
    auto const at = attributes.find(number);
    *found = at == attributes.end() ? 0 : 1;
    if (*found != 0) std::memcpy(value, &at->second, sizeof(void*));
    return MPI_SUCCESS;
}

int MPI_Comm_delete_attr(MPI_Comm comm, int number) {
    guard const held(process().lock);
    auto& attributes = communicator(comm)->attributes;
    auto const at = attributes.find(number);
    if (at == attributes.end()) return MPI_SUCCESS;
    void* const value = at->second;
    attributes.erase(at);
    key const of = process().keys[number];
    return of.on_delete == nullptr ? MPI_SUCCESS : of.on_delete(comm, number, value, of.extra);
}

int MPI_Comm_set_attr(MPI_Comm comm, int number, void* value) {
    guard const held(process().lock);
    MPI_Comm_delete_attr(comm, number);
    communicator(comm)->attributes[number] = value;
    return MPI_SUCCESS;
}

int MPI_Comm_group(MPI_Comm, MPI_Group* group) {
    *group = &process().group;
    return MPI_SUCCESS;
}

int MPI_Group_free(MPI_Group* group) {
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

int MPI_Group_translate_ranks(MPI_Group, int count, int const ranks[], MPI_Group, int translated[]) {
    for (int i = 0; i < count; ++i) translated[i] = ranks[i];
    return MPI_SUCCESS;
}

// Types and operators.

int MPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype* made) {
    *made = new MPI_ABI_Datatype{static_cast<std::size_t>(count) * bytes_of(of)};
    return MPI_SUCCESS;
}

int MPI_Type_create_struct(int count, int const lengths[], MPI_Aint const offsets[],
    MPI_Datatype const types[], MPI_Datatype* made) {
    std::size_t bytes = 0;
    for (int i = 0; i < count; ++i) {
        if (static_cast<std::size_t>(offsets[i]) != bytes) return MPI_ERR_ARG; // gaps would be copied here
        bytes += static_cast<std::size_t>(lengths[i]) * bytes_of(types[i]);
    }
    *made = new MPI_ABI_Datatype{bytes};
    return MPI_SUCCESS;
}

int MPI_Type_commit(MPI_Datatype*) {
    return MPI_SUCCESS;
}

int MPI_Type_free(MPI_Datatype* type) {
    if (!is_built_in(*type)) delete *type; // requests have its bytes
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int MPI_Op_create(MPI_User_function*, int, MPI_Op* made) {
    *made = new MPI_ABI_Op;
    return MPI_SUCCESS;
}

int MPI_Op_free(MPI_Op* op) {
    delete *op;
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

// Messages.

int MPI_Isend(
    void const* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* made) {
    return make(request::kind::send, false, buffer, count, type, to, tag, comm, made);
}

int MPI_Issend(
    void const* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* made) {
    return make(request::kind::send, false, buffer, count, type, to, tag, comm, made);
}

int MPI_Send_init(
    void const* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* made) {
    return make(request::kind::send, true, buffer, count, type, to, tag, comm, made);
}

int MPI_Irecv(
    void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* made) {
    return make(request::kind::receive, false, buffer, count, type, from, tag, comm, made);
}

int MPI_Recv_init(
    void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* made) {
    return make(request::kind::receive, true, buffer, count, type, from, tag, comm, made);
}

int MPI_Start(MPI_Request* prepared) {
    guard const held(process().lock);
    begin(*prepared);
    return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request* pending) {
    guard const held(process().lock);
    if ((*pending)->active && !(*pending)->complete)
        (*pending)->released = true;
    else
        delete *pending;
    *pending = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int MPI_Test(MPI_Request* pending, int* flag, MPI_Status* status) {
    guard const held(process().lock);
    int error = MPI_SUCCESS;
    *flag = is_over(pending, status, error) ? 1 : 0;
    return error;
}

int MPI_Testall(int count, MPI_Request pending[], int* flag, MPI_Status[]) {
    guard const held(process().lock);
    *flag = 1;
    for (int i = 0; i < count; ++i)
        if (pending[i] != MPI_REQUEST_NULL && pending[i]->active && !pending[i]->complete) *flag = 0;
    int first = MPI_SUCCESS;
    for (int i = 0; i < count && *flag != 0; ++i) {
        int error = MPI_SUCCESS;
        is_over(pending + i, MPI_STATUS_IGNORE, error);
        if (first == MPI_SUCCESS) first = error;
    }
    return first;
}

int MPI_Waitall(int count, MPI_Request pending[], MPI_Status statuses[]) {
    int flag = 0;
    int const said = MPI_Testall(count, pending, &flag, statuses);
    return flag != 0 ? said : MPI_ERR_PENDING; // nobody else could complete it
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
    guard const held(process().lock);
    request const* const found = first_message(comm, source, tag, false);
    *flag = found == nullptr ? 0 : 1;
    if (found != nullptr) tell(status, 0, found->tag, found->bytes);
    return MPI_SUCCESS;
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
    guard const held(process().lock);
    request* const found = first_message(comm, source, tag, true);
    *flag = found == nullptr ? 0 : 1;
    if (found == nullptr) return MPI_SUCCESS;
    tell(status, 0, found->tag, found->bytes);
    *message = new MPI_ABI_Message{found};
    return MPI_SUCCESS;
}

int MPI_Imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* made) {
    guard const held(process().lock);
    auto* const receive = new request;
    receive->is = request::kind::receive;
    receive->active = true;
    receive->buffer = static_cast<char*>(buffer);
    receive->bytes = static_cast<std::size_t>(count) * bytes_of(type);
    deliver((*message)->send, receive);
    delete *message;
    *message = MPI_MESSAGE_NULL;
    *made = receive;
    return MPI_SUCCESS;
}

int MPI_Get_count(MPI_Status const* status, MPI_Datatype type, int* count) {
    std::size_t const items = bytes_in(status) / bytes_of(type);
    *count = items > INT32_MAX ? MPI_UNDEFINED : static_cast<int>(items);
    return MPI_SUCCESS;
}

int MPI_Get_elements_x(MPI_Status const* status, MPI_Datatype type, MPI_Count* count) {
    *count = static_cast<MPI_Count>(bytes_in(status) / bytes_of(type));
    return MPI_SUCCESS;
}

// Collectives.

int MPI_Barrier(MPI_Comm) {
    return MPI_SUCCESS;
}

int MPI_Ibarrier(MPI_Comm, MPI_Request* pending) {
    *pending = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int MPI_Bcast(void*, int, MPI_Datatype, int, MPI_Comm) {
    return MPI_SUCCESS;
}

int MPI_Allgather(void const* mine, int count, MPI_Datatype type, void* all, int, MPI_Datatype, MPI_Comm) {
    return copy(mine, all, count, type);
}

int MPI_Allreduce(void const* mine, void* made, int count, MPI_Datatype type, MPI_Op, MPI_Comm) {
    return copy(mine, made, count, type);
}

int MPI_Iallreduce(
    void const* mine, void* made, int count, MPI_Datatype type, MPI_Op, MPI_Comm, MPI_Request* pending) {
    *pending = MPI_REQUEST_NULL;
    return copy(mine, made, count, type);
}

int MPI_Ialltoall(void const* mine, int count, MPI_Datatype type, void* theirs, int, MPI_Datatype, MPI_Comm,
    MPI_Request* pending) {
    *pending = MPI_REQUEST_NULL;
    return copy(mine, theirs, count, type);
}

int MPI_Ireduce_scatter_block(
    void const* mine, void* made, int count, MPI_Datatype type, MPI_Op, MPI_Comm, MPI_Request* pending) {
    *pending = MPI_REQUEST_NULL;
    return copy(mine, made, count, type);
}

// Windows: counters of 64 bits, to which ranks add.

int MPI_Win_allocate(MPI_Aint bytes, int displacement, MPI_Info, MPI_Comm, void* base, MPI_Win* made) {
    return new_window(bytes, displacement, base, made);
}

int MPI_Win_allocate_shared(MPI_Aint bytes, int displacement, MPI_Info, MPI_Comm, void* base, MPI_Win* made) {
    return new_window(bytes, displacement, base, made);
}

int MPI_Win_shared_query(MPI_Win window, int, MPI_Aint* bytes, int* displacement, void* base) {
    *bytes = window->bytes;
    *displacement = window->displacement;
    char* const first = window->memory.get();
    std::memcpy(base, &first, sizeof first);
    return MPI_SUCCESS;
}

int MPI_Win_get_attr(MPI_Win window, int number, void* value, int* found) {
    *found = number == MPI_WIN_MODEL ? 1 : 0;
    int* const model = &window->model;
    if (*found != 0) std::memcpy(value, &model, sizeof model);
    return MPI_SUCCESS;
}

int MPI_Rget_accumulate(void const* amount, int, MPI_Datatype, void* before, int, MPI_Datatype, int,
    MPI_Aint place, int, MPI_Datatype type, MPI_Op op, MPI_Win window, MPI_Request* pending) {
    if (type != MPI_INT64_T || op != MPI_SUM) return MPI_ERR_OP;
    guard const held(process().lock);
    char* const at = window->memory.get() + place * window->displacement;
    std::uint64_t sum = 0;
    std::uint64_t more = 0;
    std::memcpy(&sum, at, sizeof sum);
    std::memcpy(&more, amount, sizeof more);
    std::memcpy(before, &sum, sizeof sum);
    sum += more;
    std::memcpy(at, &sum, sizeof sum);
    *pending = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int MPI_Win_set_errhandler(MPI_Win, MPI_Errhandler) {
    return MPI_SUCCESS;
}

int MPI_Win_lock_all(int, MPI_Win) {
    return MPI_SUCCESS;
}

int MPI_Win_unlock_all(MPI_Win) {
    return MPI_SUCCESS;
}

int MPI_Win_sync(MPI_Win) {
    return MPI_SUCCESS;
}

int MPI_Win_free(MPI_Win* window) {
    delete *window;
    *window = MPI_WIN_NULL;
    return MPI_SUCCESS;
}

} // extern "C"
