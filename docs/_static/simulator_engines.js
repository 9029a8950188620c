// The library's engines for the simulator of the page "Why Weft": what can be set, the same run by the command, and the run itself by
// the module that scripts/docs/simulator makes of tools/web/simulator.cpp.
const weftEngines = (() => {
  const calls = {
    exchange: {
      title: "exchange", ways: ["nbx", "pex", "pcx", "rsx", "store_and_forward", "nbx_two_level", "pcx_two_level"], amount: [1, 8, 1, 3],
      amountName: "targets of a rank", bytes: true,
      about: "Each rank sends to a few ranks drawn at random, and no rank knows its senders.",
      command: (set) => `exchange --machine page.toml --ranks ${set.ranks} --degree ${set.amount} --bytes ${set.bytes} --rounds 1 ` +
        `--protocol ${set.way} --seed ${set.seed}`,
    },
    mailbox: {
      title: "mailbox", ways: ["direct", "node_local", "node_remote", "nlnr"], amount: [1, 500, 1, 50], amountName: "items of a rank",
      about: "Each rank sends items of 8 bytes to random ranks. All ranks find out when nothing is under way.",
      command: (set) => `mailbox --machine page.toml --ranks ${set.ranks} --items ${set.amount} --route ${set.way} --inside messages ` +
        `--seed ${set.seed}`,
    },
    blocks: {
      title: "iexchange", ways: ["exchange", "iexchange"], first: "iexchange", amount: [64, 128, 1, 64], amountName: "voxels of an edge",
      about: "Particles fly through blocks, one a rank, and some blocks are slow. By exchange they fly in rounds, by iexchange at once.",
      command: (set) => `iexchange --machine page.toml --ranks ${set.ranks} --blocks-per-rank 1 --voxels ${set.amount} --seeds 1 ` +
        `--step-ns 10 --by ${set.way}`,
    },
  };
  const sliders = { // least, most, step, first, text
    ranks: [2, 64, 1, 12, "ranks"], node: [1, 8, 1, 1, "ranks per node"], latency: [0.5, 50, 0.5, 5, "L, latency (µs)"],
    overhead: [0, 10, 0.1, 1, "o, overhead (µs)"], gap: [0, 10, 0.1, 1, "G, for a byte (ns)"],
    amount: [1, 8, 1, 3, ""], bytes: [1, 20000, 1, 64, "bytes a message"], seed: [1, 99, 1, 1, "seed"],
  };
  const kinds = ["data", "control", "asking", "answering"];
  const lengths = { head: 4, message: 8, work: 4 };
  const microseconds = 1e-6;

  /** The machine model and the command that give the same run outside of this page. */
  const perByte = (set) => Number((set.gap / 1000).toFixed(6));
  const machineFile = (set) => `version = 3
measured_on = "the page Why Weft"
copy_per_byte = 0

[inside]
latency = ${set.latency}
overhead = ${set.overhead}
gap = ${set.overhead}
gap_per_byte = ${perByte(set)}
synchronous_penalty = ${set.latency}

[simulation]
ranks_per_node = ${set.node}
eager_bytes = 4096
node_gap = 0
node_gap_per_byte = 0
hardware_all_reduce = 0
exchange_overhead = 0
`;
  const commandOf = (set) => `weft simulate ${calls[set.call].command(set)}`;

  /** Runs the engines once. A module that has stopped is not used again, so each run has its own. */
  const runs = (module) => (set, changes) => {
    const memory = () => new DataView(instance.exports.memory.buffer);
    const system = {
      environ_sizes_get: (count, size) => (memory().setUint32(count, 0, true), memory().setUint32(size, 0, true), 0),
      clock_time_get: (_id, _precision, time) => (memory().setBigUint64(time, 0n, true), 0),
      proc_exit: () => { throw new Error("the module ended"); },
    };
    const instance = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: new Proxy(system, { get: (known, name) => known[name] ?? (() => 52) }), // 52: not there
    });
    instance.exports._initialize();
    const delays = changes.filter((each) => "message" in each).sort((a, b) => a.message - b.message);
    const stops = changes.filter((each) => "rank" in each);
    const asked = [
      Object.keys(calls).indexOf(set.call), calls[set.call].ways.indexOf(set.way), set.ranks, set.node, set.seed, set.latency, set.overhead,
      set.overhead, perByte(set), set.amount, set.bytes, delays.length, stops.length,
      ...delays.flatMap((each) => [each.message, each.amount]), ...stops.flatMap((each) => [each.rank, each.time, each.until]),
    ];
    const place = instance.exports.weft_request(asked.length);
    new Float64Array(instance.exports.memory.buffer, place, asked.length).set(asked);
    const count = instance.exports.weft_simulate();
    const said = new Float64Array(instance.exports.memory.buffer, instance.exports.weft_answer(), count);
    const [seconds, total, messageCount, workCount] = said;
    const doneAt = [...said.slice(lengths.head, lengths.head + set.ranks)];
    let at = lengths.head + set.ranks;
    const rows = (number, length, make) => Array.from({ length: number }, () => make(...said.slice(at, (at += length))));
    const messages = rows(messageCount, lengths.message, (kind, source, destination, bytes, leaves, arrives, received, number) =>
      ({ kind, source, destination, bytes, leaves, arrives, received, number }));
    const works = rows(workCount, lengths.work, (rank, begin, end, isStop) => ({ rank, begin, end, isStop }));
    return { seconds, total, doneAt, messages, works };
  };

  return { calls, sliders, kinds, microseconds, machineFile, commandOf, runs };
})();
