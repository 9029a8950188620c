#include "handles.hpp"

#include <weft/mpi.hpp>
#include <weft/protocol/agreement.hpp>

#include <string_view>

namespace weft::c {

namespace {

/// The settings with lines `NAME=value` on top.
settings changed_by(settings values, char const* lines) {
    for (std::string_view rest = lines == nullptr ? "" : lines; !rest.empty();) {
        std::string_view const line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(line.size() + (line.size() < rest.size() ? 1 : 0));
        if (line.empty()) continue;
        std::string_view const name = line.substr(0, line.find('='));
        knob const* found = nullptr;
        for (knob const& each : knobs())
            if (each.name == name) found = &each;
        if (found == nullptr || name.size() == line.size())
            throw usage_error("weft_comm_with: '" + std::string(line) +
                              "' is no NAME=value of a knob; `weft info` lists them");
        found->assign(values, line.substr(name.size() + 1));
    }
    return values;
}

} // namespace

} // namespace weft::c

weft_status weft_comm_make(MPI_Comm parent, weft_comm** made) {
    return weft::c::call([&] {
        weft_comm* const handle = new weft_comm{weft::make_communicator(parent)};
        weft::c::hand_over(handle, made);
    });
}

weft_status weft_comm_make_f(MPI_Fint parent, weft_comm** made) {
    return weft_comm_make(MPI_Comm_f2c(parent), made);
}

weft_status weft_comm_split(weft_comm const* comm, int color, int key, weft_comm** made) {
    return weft::c::call([&] {
        weft::communicator const& of = weft::c::given(comm, "comm").of;
        weft::c::hand_over(new weft_comm{of.split(color, key)}, made);
    });
}

weft_status weft_comm_with(weft_comm const* comm, char const* settings, weft_comm** made) {
    return weft::c::call([&] {
        weft::communicator const& of = weft::c::given(comm, "comm").of;
        weft::settings changed;
        weft::agreed(of, [&] { changed = weft::c::changed_by(of.settings(), settings); });
        weft::c::hand_over(new weft_comm{of.with(changed)}, made);
    });
}

int weft_comm_rank(weft_comm const* comm) {
    return comm == nullptr ? -1 : comm->of.rank();
}

int weft_comm_size(weft_comm const* comm) {
    return comm == nullptr ? 0 : comm->of.size();
}

void weft_comm_free(weft_comm* comm) {
    delete comm;
}
