// Browsers on other origins may use the API, as on hosted Supabase: it authenticates by token, never by cookie.
import { cors } from 'hono/cors'

export const apiCors = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  exposeHeaders: [
    'Content-Range',
    'Content-Location',
    'Location',
    'Preference-Applied',
    'X-Total-Count',
    'Link',
    'X-Supabase-Api-Version',
    'Retry-After',
  ],
  maxAge: 3600,
})
