import { type ClientAuth, fetchProtectedResource } from 'openid-client'
import { z } from 'zod'
import type { ProviderKind } from './provider.ts'

const API = 'https://api.x.com'

const profile = z.object({
  data: z.object({
    id: z.string().min(1),
    name: z.string().default(''),
    username: z.string().default(''),
    confirmed_email: z.string().default(''),
    profile_image_url: z.string().default(''),
  }),
})

// Replaces the library's basic authentication, which also escapes "-" and "_": X's keys often contain these characters,
// and X does not decode them.
const basicAuth =
  (secret: string): ClientAuth =>
  (_server, { client_id: id }, _body, headers) => {
    const credentials = [id, secret].map(encodeURIComponent).join(':')
    headers.set('authorization', `Basic ${btoa(credentials)}`)
  }

/**
 * https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code. Named `x` as on Supabase, where
 * `twitter` means OAuth 1.0a.
 */
export const x: ProviderKind = {
  // Reading a person's own profile requires tweet.read besides users.read, whichever fields are read.
  scopes: ['users.email', 'tweet.read', 'users.read', 'offline.access'],
  pictures: ['https://pbs.twimg.com'],
  idToken: false,
  endpoints: (at) => ({
    issuer: at('https://x.com'),
    authorization_endpoint: `${at('https://x.com')}/i/oauth2/authorize`,
    token_endpoint: `${at(API)}/2/oauth2/token`,
  }),
  clientAuth: basicAuth,
  readProfile: async ({ configuration, tokens, at }) => {
    const url = new URL(
      `${at(API)}/2/users/me?user.fields=id,name,username,confirmed_email,profile_image_url`,
    )
    const answer = await fetchProtectedResource(configuration, tokens.access_token, url, 'GET')
    const { data } = profile.parse(await answer.json())
    return {
      subject: data.id,
      email: data.confirmed_email,
      emailVerified: data.confirmed_email !== '',
      name: data.name,
      picture: data.profile_image_url,
      userName: data.username,
    }
  },
}
