#include "graph_input.hpp"
#include "options/number_check.hpp"
#include "options/output_option.hpp"
#include "options/preset.hpp"
#include "report/reporting_command.hpp"

#include <collective/need_memory.hpp>
#include <weft/io/generators.hpp>
#include <weft/io/named_generator.hpp>
#include <weft/io/write_graph.hpp>
#include <weft/nbody/plummer.hpp>
#include <weft/protocol/collectives.hpp>
#include <weft/snapshots/snapshot.hpp>

#include <cmath>

namespace weft::tool {

namespace {

class generate_command final : public reporting_command {
public:
    explicit generate_command(CLI::App& app)
        : reporting_command(app, "generate",
              "Generate a random graph, a grid or a star cluster; the result depends on the seed, not on the "
              "number of ranks") {
        parser_->require_subcommand(1);

        rmat_parser_ =
            parser_->add_subcommand("rmat", "Recursive matrix graph with the parameters of Graph500");
        rmat_parser_->add_option("--scale", rmat_.scale, "2^SCALE vertices")->capture_default_str();
        rmat_parser_->add_option("--edge-factor", rmat_.edge_factor, "Edges per vertex")
            ->capture_default_str();
        rmat_parser_
            ->add_option("--a", rmat_.a,
                "Probability that an edge lies in the upper left quarter of the adjacency matrix")
            ->capture_default_str();
        rmat_parser_
            ->add_option("--b", rmat_.b,
                "Probability that an edge lies in the upper right quarter of the adjacency matrix")
            ->capture_default_str();
        rmat_parser_
            ->add_option("--c", rmat_.c,
                "Probability that an edge lies in the lower left quarter of the adjacency matrix")
            ->capture_default_str();
        rmat_parser_->add_flag("--scramble,!--no-scramble", rmat_.scramble, "Permute the vertices (default)");
        add_output(*rmat_parser_);

        erdos_renyi_parser_ = parser_->add_subcommand(
            "erdos-renyi", "G(n, p): every pair of vertices is joined by an edge with the same probability");
        erdos_renyi_parser_->add_option("--vertices", erdos_renyi_.vertices, "Number of vertices")
            ->required();
        erdos_renyi_parser_->add_option("--average-degree", erdos_renyi_.average_degree, "Mean degree")
            ->capture_default_str();
        add_output(*erdos_renyi_parser_);

        named_parser_ =
            parser_->add_subcommand("graph", "Write the graph that a text such as rgg:100000 describes; "
                                             "other commands accept this text in place of a file");
        named_parser_->add_option("GENERATOR", text_, help_of_generators())->required();
        add_output(*named_parser_);

        plummer_parser_ = parser_->add_subcommand(
            "plummer", "Plummer sphere: a star cluster in equilibrium, in standard units, for weft nbody");
        add_preset(*plummer_parser_, "--particles", plummer_.particles, "Number of stars", at_least(0));
        names_output(plummer_parser_->add_option("--out,-o", file_,
                         "The file: .csv, .vtp, or GADGET format 2 for any other suffix; - writes CSV to "
                         "standard output"))
            ->required();
        common_.add_to(*plummer_parser_);
    }

private:
    void compute(session const& now) override {
        now.report["options"] = {{"seed", common_.seed}, {"out", file_}};
        if (plummer_parser_->parsed())
            generate_stars(now);
        else if (named_parser_->parsed())
            generate_named(now);
        else
            generate_random(now);
    }

    void generate_random(session const& now) {
        communicator const& comm = now.comm;
        bool const is_rmat = rmat_parser_->parsed();
        rmat_.seed = erdos_renyi_.seed = common_.seed;
        rmat_.progress = erdos_renyi_.progress = [&](std::int64_t done, std::int64_t total) {
            now.progress.show("generating", done, total);
        };
        need_memory(comm, is_rmat ? "generate rmat" : "generate erdos-renyi",
            edges_expected(is_rmat) * sizeof(edge) / comm.size());
        write(now, is_rmat ? generate_rmat(comm, rmat_) : generate_erdos_renyi(comm, erdos_renyi_));
        auto& report = now.report;
        report["input"]["generator"] = is_rmat ? "rmat" : "erdos-renyi";
        if (is_rmat)
            report["options"].update({{"scale", rmat_.scale}, {"edge_factor", rmat_.edge_factor},
                {"a", rmat_.a}, {"b", rmat_.b}, {"c", rmat_.c}, {"scramble", rmat_.scramble}});
        else
            report["options"].update(
                {{"vertices", erdos_renyi_.vertices}, {"average_degree", erdos_renyi_.average_degree}});
    }

    void generate_named(session const& now) {
        now.report["input"]["generator"] = text_;
        write(now, generate_graph(now.comm, text_,
                       {.seed = common_.seed, .progress = [&](std::int64_t done, std::int64_t total) {
                            now.progress.show("generating", done, total);
                        }}));
    }

    void write(session const& now, edge_list const& list) {
        now.watch.lap("compute");
        now.progress.phase("writing " + file_);
        write_graph(now.comm, list, file_);
        now.watch.lap("write");
        format_ = list.format;
        now.report["result"] = {{"vertices", list.vertices},
            {"edges", sum(now.comm, static_cast<std::int64_t>(list.edges.size()))}};
    }

    [[nodiscard]] std::string subject(nlohmann::ordered_json const&) const override { return file_; }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        if (plummer_parser_->parsed()) return table_row("particles", grouped(plummer_.particles));
        return table_row("graph", format_) +
               table_row("vertices", grouped(result["vertices"].get<std::int64_t>())) +
               table_row("edges", grouped(result["edges"].get<std::int64_t>()) +
                                      (rmat_parser_->parsed() ? " (loops and duplicates among them)" : ""));
    }

    /// 0 for options that the generator will refuse.
    [[nodiscard]] double edges_expected(bool is_rmat) const {
        if (is_rmat)
            return rmat_.scale >= 0 && rmat_.scale <= 62 && rmat_.edge_factor >= 0
                       ? std::ldexp(static_cast<double>(rmat_.edge_factor), rmat_.scale)
                       : 0;
        auto const vertices = static_cast<double>(erdos_renyi_.vertices);
        double const degree = erdos_renyi_.average_degree;
        return degree >= 0 && degree < vertices ? 0.5 * vertices * degree : 0;
    }

    void generate_stars(session const& now) {
        plummer_.seed = common_.seed;
        now.progress.phase("generating");
        need_memory(now.comm, "generate plummer",
            static_cast<double>(plummer_.particles) * sizeof(particle) / now.comm.size());
        std::vector<particle> stars = generate_plummer(now.comm, plummer_);
        now.watch.lap("compute");
        now.progress.phase("writing " + file_);
        write_particles(now.comm, file_, std::move(stars));
        now.watch.lap("write");
        now.report["input"]["generator"] = "plummer";
        now.report["options"]["particles"] = plummer_.particles;
        now.report["result"]["particles"] = plummer_.particles;
    }

    void add_output(CLI::App& generator) {
        names_output(
            generator.add_option("--out,-o", file_,
                "The file: .mtx for MatrixMarket, .txt, .el, .edges or .tsv for an edge list, .csv for "
                "CSV; - is an edge list on standard output"))
            ->required();
        common_.add_to(generator);
    }

    CLI::App* rmat_parser_ = nullptr;
    CLI::App* erdos_renyi_parser_ = nullptr;
    CLI::App* named_parser_ = nullptr;
    CLI::App* plummer_parser_ = nullptr;
    plummer_options plummer_;
    rmat_options rmat_;
    erdos_renyi_options erdos_renyi_;
    std::string text_; // that names a generator
    std::string file_;
    std::string format_; // of the graph, in words
};

} // namespace

std::unique_ptr<command> make_generate(CLI::App& app) {
    return std::make_unique<generate_command>(app);
}

} // namespace weft::tool
