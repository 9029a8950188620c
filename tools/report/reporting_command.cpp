#include "report/reporting_command.hpp"

#include "options/input_file.hpp"

namespace weft::tool {

reporting_command::reporting_command(CLI::App& app, std::string const& name, std::string const& description) {
    parser_ = app.add_subcommand(name, description);
}

std::string reporting_command::subject(nlohmann::ordered_json const& report) const {
    return short_name_of(report["input"]["file"].get<std::string>());
}

void reporting_command::run(environment const& env) {
    communicator const comm = env.world();
    counters const before = counters_of(comm);
    auto report = make_report(parser_->get_name(), comm);
    progress_line progress(common_.progress, comm);
    stopwatch watch(comm);

    compute({comm, progress, watch, report});
    nlohmann::ordered_json const parts = std::move(report["seconds"]);
    report["seconds"] = watch.seconds();
    report["seconds"].update(parts);
    report["traffic"] = traffic_since(comm, before);
    write_report(comm, report, common_.json);
    if (comm.rank() == 0 && common_.shows_table())
        print(table_head(report, subject(report)) + describe(report) + table_foot(report));
}

} // namespace weft::tool
