// Files of tests and their results are read as the command reads and writes them.

const assert = require('node:assert');
const { test } = require('node:test');
const { isOurs, names, results } = require('../../src/scenario');

test('tests are found by their lines', () => {
  const text = 'tree guard.bt\r\n\r\ntest rests \r\n\ttick\r\n  test fights who comes near\n# test of nothing\n';
  assert.deepEqual(names(text), [{ name: 'rests', number: 2 }, { name: 'fights who comes near', number: 4 }]);
  assert.ok(isOurs(text));
});

test('other files that end in .test are left alone', () => {
  assert.ok(!isOurs('statement ok\nCREATE TABLE test (a INT)\n'));
  assert.ok(!isOurs('tree guard.bt\n'));
});

test('results are read by name', () => {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="pleach" tests="2" failures="1">
<testcase classname="C:\\a.test" name="rests &amp; waits"/>
<testcase classname="a.test" name="fights"><failure message="ammo is 3, not &lt; 2">a.test:9: ammo is 3, not &lt; 2</failure></testcase>
</testsuite>
</testsuites>
`;
  const found = results(xml);
  assert.deepEqual([...found.keys()], ['rests & waits', 'fights']);
  assert.equal(found.get('rests & waits'), undefined);
  assert.deepEqual(found.get('fights'), { message: 'ammo is 3, not < 2', line: 9 });
  assert.equal(results('').size, 0);
});
