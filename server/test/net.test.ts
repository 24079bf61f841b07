import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { OWNER_ROLE } from '#db/migrate.ts'
import { startHttpRequests } from '#net/http-requests.ts'
import { eventually } from './eventually.ts'
import { testDatabase } from './harness.ts'

describe('requests from SQL', async () => {
  const heard: Record<'method' | 'url' | 'type' | 'body', string | undefined>[] = []
  const peer = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, url, headers } = request
    heard.push({ method, url, type: headers['content-type'], body })
    if (url === '/slow') return
    response.writeHead(url === '/broken' ? 500 : 200, { 'Content-Type': 'application/json' })
    response.end('{"ok":"\\u0000é"}')
  })
  await new Promise<void>((done) => peer.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`
  const db = await testDatabase()
  const requests = await startHttpRequests({ db, log: pino({ level: 'silent' }) })
  afterAll(async () => {
    await requests.close()
    peer.closeAllConnections()
    peer.close()
  })
  const ask = async (call: string): Promise<string> => {
    const [row] = await db.transaction((tx) => tx.query(`select ${call.replaceAll('HOST', address)} as id`), {
      role: OWNER_ROLE,
    })
    return String(row?.id)
  }
  const answerTo = (id: string) =>
    eventually(async () => {
      const [row] = await db.query(
        'select status_code, content_type, content, timed_out, error_msg from net._http_response where id = $1',
        [id],
      )
      if (!row) throw new Error('No answer yet')
      return row
    })

  test('they arrive as written, and their answers are kept', async () => {
    const post = await ask(`net.http_post('HOST/tick', '{"é": 1}', '{"a b": "ü&", "c": "1"}')`)
    expect(await answerTo(post)).toEqual({
      status_code: 200,
      content_type: 'application/json',
      content: '{"ok":"\\u0000é"}',
      timed_out: false,
      error_msg: null,
    })
    await answerTo(await ask(`net.http_post('HOST/read?x=1', params := '{"y": "2"}')`))
    expect(heard.splice(0)).toEqual([
      { method: 'POST', url: '/tick?c=1&a%20b=%C3%BC%26', type: 'application/json', body: '{"é": 1}' },
      { method: 'POST', url: '/read?x=1&y=2', type: 'application/json', body: '{}' },
    ])
  })

  test('what is rolled back is not sent', async () => {
    const undone = db.transaction(async (tx) => {
      await tx.query('select net.http_post($1)', [`${address}/never`])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await answerTo(await ask(`net.http_post('HOST/after')`))
    expect(heard.splice(0).map(({ url }) => url)).toEqual(['/after'])
  })

  test('an error, a timeout and nobody there are answers too', async () => {
    expect(await answerTo(await ask(`net.http_post('HOST/broken')`))).toMatchObject({ status_code: 500 })
    expect(
      await answerTo(await ask(`net.http_post('HOST/slow', timeout_milliseconds := 100)`)),
    ).toMatchObject({
      status_code: null,
      timed_out: true,
    })
    expect(await answerTo(await ask(`net.http_post('http://127.0.0.1:1/')`))).toMatchObject({
      status_code: null,
      timed_out: false,
      error_msg: expect.stringMatching(/ECONNREFUSED|bad port/),
    })
  })

  test.each([
    [`net.http_post('file:///etc/passwd')`, 'file:///etc/passwd is no http or https address'],
    [`net.http_post(null)`, 'null is no http or https address'],
    [`net.http_post('HOST/x', headers := '{"content-type": "text/plain"}')`, 'must be "application/json"'],
    [`net.http_post('HOST/x', timeout_milliseconds := 0)`, 'timeout_milliseconds'],
  ])('%s is refused', async (call, reason) => {
    await expect(ask(call)).rejects.toThrow(reason)
  })

  test('only the project sends', async () => {
    for (const role of ['anon', 'authenticated', 'service_role'])
      await expect(
        db.transaction((tx) => tx.query(`select net.http_post('${address}/x')`), { role }),
      ).rejects.toMatchObject({ code: '42501' })
  })
})
