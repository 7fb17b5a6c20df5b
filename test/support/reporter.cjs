// The spec reporter, and the counts as a file.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = class Reporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      writeFileSync(process.env.MOCHA_REPORT, JSON.stringify({ passes, failures, pending }));
    });
  }
};
