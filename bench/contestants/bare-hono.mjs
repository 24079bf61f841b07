// Serves one route of Hono and nothing else, on the given port.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono().get('/ok', (context) => context.text('ok'))
serve({ fetch: app.fetch, port: Number(process.argv[2]), hostname: '127.0.0.1' })
