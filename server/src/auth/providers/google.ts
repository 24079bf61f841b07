import { ClientSecretPost, fetchUserInfo } from 'openid-client'
import { z } from 'zod'
import type { ProviderKind } from './provider.ts'

const profile = z.object({
  sub: z.string().min(1),
  email: z.string().default(''),
  email_verified: z.boolean().default(false),
  name: z.string().default(''),
  picture: z.string().default(''),
})

/** https://developers.google.com/identity/openid-connect/openid-connect */
export const google: ProviderKind = {
  scopes: ['openid', 'email', 'profile'],
  pictures: ['https://*.googleusercontent.com'],
  idToken: true,
  endpoints: (at) => ({
    issuer: at('https://accounts.google.com'),
    authorization_endpoint: `${at('https://accounts.google.com')}/o/oauth2/v2/auth`,
    token_endpoint: `${at('https://oauth2.googleapis.com')}/token`,
    userinfo_endpoint: `${at('https://openidconnect.googleapis.com')}/v1/userinfo`,
  }),
  clientAuth: ClientSecretPost,
  readProfile: async ({ configuration, tokens }) => {
    const subject = tokens.claims()?.sub ?? ''
    const about = profile.parse(await fetchUserInfo(configuration, tokens.access_token, subject))
    return {
      subject: about.sub,
      email: about.email,
      emailVerified: about.email_verified,
      name: about.name,
      picture: about.picture,
      userName: '',
    }
  },
}
