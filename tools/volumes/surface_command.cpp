#include "surface_command.hpp"

#include "surface_report.hpp"

#include <weft/contouring/write_surface.hpp>

namespace weft::tool {

void surface_command::add_surface_options() {
    add_surface_outputs(*parser_, out_);
    add_balance(*parser_, balance_);
    picture_.add_to(*parser_);
    common_.add_watched_to(*parser_);
}

void surface_command::compute(session const& now) {
    communicator const& comm = now.comm;
    now.progress.phase("reading");
    field_input field = field_.read(comm);
    now.watch.lap("read");
    describe_input(now.report["input"], field_.file(), field);
    now.progress.phase(phase());
    contour_result const found =
        find(comm, field, {.balance = balance_, .lap = [&](std::string_view each) { now.watch.lap(each); }});

    now.progress.phase("writing");
    for (std::string const& each : out_) write_surface(comm, found.made, numbers(), each);
    now.watch.lap("write");
    if (picture_.is_wanted()) {
        now.progress.phase("drawing");
        picture_.write(
            comm, found.made, short_name_of(field_.file()) + ": " + title(field), first_field(found.made));
        now.watch.lap("draw");
    }
    auto& chosen = now.report["options"];
    describe_choice(chosen);
    chosen["balance"] = name_of(balance_);
    field_.describe(chosen);
    if (!out_.empty()) chosen["out"] = out_;
    picture_.describe(chosen);
    describe_result(comm, field, found, now.report["result"]);
}

} // namespace weft::tool
