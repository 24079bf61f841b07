// No input of a stranger makes a function answer 5xx, and pages on other origins may read the answers.
import { expect, test } from 'vitest'
import { buildChanged } from '../../../scripts/build.mjs'
import { cases } from '../../../server/test/cases.ts'
import { testServer } from '../../../server/test/harness.ts'

const NAMES = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf', 'nothing', '%00', '..%2f']
const BODIES = [undefined, '', 'null', '[]', '7', '{"id":{}}', '{"id":"\\u0000"}', '{"setup":"seti_unknown"}']
const FUNCTIONS = cases(`
  api | open
  calendar | open
  documents | open
  import | open
  payments | open
  push | open
  vault | open
  mail | own origin
  mcp | own origin
  webhooks | own origin`)

// A server without any configuration by its operator.
await buildChanged(['supabase'])
const server = await testServer()

test.each(FUNCTIONS)(
  '%s answers whatever is sent to it, and says which pages may read that',
  async (name, origins) => {
    const failures: string[] = []
    const closed: string[] = []
    for (const path of ['', ...NAMES.map((one) => `/${one}`)])
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
        for (const body of method === 'POST' ? BODIES : [undefined])
          for (const authorization of ['', 'Bearer nonsense', `Bearer pot_${'0'.repeat(64)}`]) {
            const answer = await fetch(`${server.url}/functions/v1/${name}${path}`, {
              method,
              headers: { ...(authorization && { authorization }), origin: 'https://elsewhere.example' },
              ...(body !== undefined && { body }),
            })
            await answer.body?.cancel()
            const what = `${method} ${path} ${authorization} ${body}: ${answer.status}`
            if (answer.status >= 500) failures.push(what)
            if (answer.headers.get('access-control-allow-origin') !== '*') closed.push(what)
          }
    expect(failures).toEqual([])
    if (origins === 'open') expect(closed).toEqual([])
  },
)
