// GET /health: clients take this as the sign that an auth service is there, and which one it speaks like.
import type { Handler } from 'hono'

const SPOKEN_VERSION = 'v2.196.0'

export const health = (): Handler => (context) =>
  context.json({
    version: SPOKEN_VERSION,
    name: 'GoTrue',
    description: 'GoTrue is a user registration and authentication API',
  })
