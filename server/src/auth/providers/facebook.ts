import { createHmac } from 'node:crypto'
import { ClientSecretPost, fetchProtectedResource } from 'openid-client'
import { z } from 'zod'
import type { ProviderKind } from './provider.ts'

const GRAPH = 'https://graph.facebook.com'

const profile = z.object({
  id: z.string().min(1),
  email: z.string().default(''),
  name: z.string().default(''),
  picture: z.object({ data: z.object({ url: z.string() }) }).optional(),
})

/** https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow */
export const facebook: ProviderKind = {
  scopes: ['email'],
  pictures: ['https://*.fbsbx.com', 'https://*.fbcdn.net'],
  idToken: false,
  endpoints: (at) => ({
    issuer: at('https://www.facebook.com'),
    authorization_endpoint: `${at('https://www.facebook.com')}/dialog/oauth`,
    token_endpoint: `${at(GRAPH)}/oauth/access_token`,
  }),
  clientAuth: ClientSecretPost,
  readProfile: async ({ configuration, settings, tokens, at }) => {
    const url = new URL(`${at(GRAPH)}/me?fields=id,email,name,picture.type(large)`)
    // Proves that the token was issued to this site and not taken from another app's users.
    const proof = createHmac('sha256', settings.secret).update(tokens.access_token).digest('hex')
    url.searchParams.set('appsecret_proof', proof)
    const answer = await fetchProtectedResource(configuration, tokens.access_token, url, 'GET')
    const about = profile.parse(await answer.json())
    return {
      subject: about.id,
      email: about.email,
      // Facebook returns an address only after its owner has confirmed it.
      emailVerified: about.email !== '',
      name: about.name,
      picture: about.picture?.data.url ?? '',
      userName: '',
    }
  },
}
