// A load generator in a separate process, as small as possible, because it shares the machine with the server that it
// measures. It uses keep-alive connections, each of which waits for its response. Given { port, path, headers,
// connections, seconds } as JSON, it prints { perSecond, p50, p99 } (milliseconds) as JSON. Every response has to be a
// 200 that says "ok".
import { connect } from 'node:net'
import { quantile } from './figures.mjs'

const { port, path, headers = {}, connections, seconds } = JSON.parse(process.argv[2])
const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).map(
  ([name, value]) => `${name}: ${value}`,
)
const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
const times = []
const began = performance.now()
const end = began + seconds * 1000

const ask = () =>
  new Promise((done, fail) => {
    let sent = performance.now()
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(request)).setNoDelay()
    socket.setEncoding('latin1').on('data', (chunk) => {
      answer += chunk
      if (!answer.startsWith('HTTP/1.1 200 ')) socket.destroy(new Error(`${path} answered:\n${answer}`))
      if (!answer.endsWith('\r\n\r\nok')) return
      const now = performance.now()
      times.push(now - sent)
      answer = ''
      sent = now
      if (now < end) socket.write(request)
      else socket.end()
    })
    socket.setTimeout(10_000, () => socket.destroy(new Error(`${path} did not answer; so far:\n${answer}`)))
    socket.on('error', fail).on('close', done)
  })
await Promise.all(Array.from({ length: connections }, ask))
const perSecond = times.length / ((performance.now() - began) / 1000)
console.log(JSON.stringify({ perSecond, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }))
