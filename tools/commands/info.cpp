#include "command.hpp"
#include "graph_questions.hpp"
#include "launch/usable_cores.hpp"
#include "launch/volume_module.hpp"
#include "report/machine_report.hpp"

#include <io/formats/graph_formats.hpp>
#include <machine/stored_choices.hpp>
#include <weft/core/error.hpp>
#include <weft/core/settings.hpp>
#include <weft/core/version.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace weft::tool {

namespace {

/// Formats of all kinds, those of volumes and particles where the module that reads them is installed.
std::vector<reader_row> all_readers() {
    std::vector<reader_row> rows;
    for (io::graph_format_row const& each : io::graph_formats())
        rows.push_back({"graphs", std::string(each.name), {each.suffixes.begin(), each.suffixes.end()}, {}});
    try {
        for (reader_row& each : load_volumes().readers()) rows.push_back(std::move(each));
    } catch (io_error const&) {} // info tells what is there, also of an installation without the module
    return rows;
}

class info_command final : public command {
public:
    explicit info_command(CLI::App& app) {
        parser_ = app.add_subcommand("info", "Show how Weft was built, the file formats that it reads, MPI, "
                                             "ranks, nodes, the machine model and all settings");
        common_.add_output_to(*parser_);
    }

    void run(environment const& env) override {
        communicator const comm = env.world();
        auto report = make_report("info", comm);
        auto& result = report["result"];
        result["mpi"] = mpi_library();
        build_facts const built = build_info();
        result["build"] = {{"commit", built.commit}, {"compiler", built.compiler},
            {"build_type", built.build_type}, {"options", built.options}};
        result["cores"] = usable_cores();
        auto& readers = result["readers"] = nlohmann::ordered_json::array();
        for (reader_row const& each : all_readers())
            readers.push_back({{"kind", each.kind}, {"format", each.name}, {"endings", each.endings},
                {"there", each.left_out_by.empty()}, {"switch", each.left_out_by}});
        auto& nodes = result["ranks_of_node"] = nlohmann::ordered_json::array();
        for (int node = 0; node < comm.topology().node_count(); ++node) {
            auto const ranks = comm.topology().ranks_of(node);
            nodes.push_back(std::vector<int>(ranks.begin(), ranks.end()));
        }
        mailbox const mail(comm);
        result["mailbox"] = {{"route", name_of(mail.route())}, {"shared_memory", mail.shares_memory()},
            {"why_not", mail.why_not_shared()}};
        auto& table = result["knobs"] = nlohmann::ordered_json::array();
        settings const defaults;
        for (knob const& row : knobs())
            table.push_back({{"name", row.name}, {"type", row.type}, {"default", row.show(defaults)},
                {"value", row.show(comm.settings())}, {"explanation", row.explanation}});
        auto& questions = result["graph_questions"] = nlohmann::ordered_json::array();
        for (graph_question const& each : graph_questions()) {
            questions.push_back({{"name", each.name}, {"about", each.about}, {"function", each.function},
                {"in_python", each.in_python}, {"examples", nlohmann::ordered_json::array()}});
            for (std::string_view const line : each.examples)
                if (!line.empty()) questions.back()["examples"].push_back(line);
        }
        result["stored_choices"] = choices_of(comm).size();
        result["machine"] = machine_as_json(comm.machine());
        write_report(comm, report, common_.json);
        if (comm.rank() == 0 && common_.shows_table()) print(report, comm.machine());
    }

private:
    /// A row a kind of file, and one for formats that this build leaves out.
    static std::string rows_of_readers(nlohmann::ordered_json const& readers) {
        std::string rows;
        std::string left_out;
        for (char const* const kind : {"graphs", "volumes", "meshes", "particles"}) {
            std::string there;
            for (auto const& each : readers) {
                if (each["kind"] != kind) continue;
                auto const name = each["format"].get<std::string>();
                if (each["there"].get<bool>())
                    there += (there.empty() ? "" : ", ") + name;
                else
                    left_out += fmt::format("{}{} of {} (-D{}=ON)", left_out.empty() ? "" : ", ", name, kind,
                        each["switch"].get<std::string>());
            }
            rows += table_row(kind, there.empty() ? "not installed" : there);
        }
        return left_out.empty() ? rows : rows + table_row("left out", left_out);
    }

    static void print(nlohmann::ordered_json const& report, machine_model const& machine) {
        auto const& result = report["result"];
        std::string table = table_head(report, report["version"].get<std::string>());
        auto const& built = result["build"];
        table += table_row("MPI", result["mpi"].get<std::string>());
        table += table_row(
            "build", fmt::format("{}, {}, commit {}", built["compiler"].get<std::string>(),
                         built["build_type"].get<std::string>(), built["commit"].get<std::string>()));
        table += rows_of_readers(result["readers"]);
        constexpr std::size_t most = 8;
        std::size_t node = 0;
        for (auto const& ranks : result["ranks_of_node"]) {
            if (node == most) {
                table +=
                    table_row("", fmt::format("and {} nodes more", result["ranks_of_node"].size() - most));
                break;
            }
            std::string list;
            for (std::size_t i = 0; i < ranks.size() && i < 16; ++i)
                list += (i == 0 ? "" : " ") + std::to_string(ranks[i].get<int>());
            if (ranks.size() > 16) list += fmt::format(" ... ({} ranks)", ranks.size());
            table += table_row(fmt::format("node {}", node++), "ranks " + list);
        }
        auto const& mail = result["mailbox"];
        table += table_row(
            "mailbox", fmt::format("route {}; inside nodes {}", mail["route"].get<std::string>(),
                           mail["shared_memory"].get<bool>()
                               ? "through shared memory"
                               : fmt::format("through MPI ({})", mail["why_not"].get<std::string>())));
        auto const choices = result["stored_choices"].get<std::int64_t>();
        table += table_row("choices", choices == 0 ? std::string("no protocol is stored beside the model")
                                                   : fmt::format("{} stored beside the model", choices));
        table += machine_as_text(machine);
        table += "\n  knobs, set by environment variables; what differs from its default is marked *\n\n";
        for (auto const& row : result["knobs"]) {
            auto const text = [&](char const* field) { return row[field].get<std::string>(); };
            auto const shown = [](std::string const& value) {
                return value.empty() ? std::string("(none)") : value;
            };
            table += fmt::format("{} {:<20} {:<14} {}\n{:<23}{} (default {})\n",
                text("value") == text("default") ? ' ' : '*', text("name"), shown(text("value")),
                text("explanation"), "", text("type"), shown(text("default")));
        }
        table += "\n";
        tool::print(table);
    }

    common_options common_;
};

} // namespace

std::unique_ptr<command> make_info(CLI::App& app) {
    return std::make_unique<info_command>(app);
}

} // namespace weft::tool
