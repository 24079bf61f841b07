// Gives jsdom an authenticator, in software.
import { type Authenticator, newAuthenticator } from '@potluck/server/test/wire/authenticator.ts'
import { onTestFinished, vi } from 'vitest'

const text = (bytes: BufferSource) => Buffer.from(bytes as ArrayBuffer).toString('base64url')
const bytes = (encoded: string) => Uint8Array.from(Buffer.from(encoded, 'base64url')).buffer

interface Asked {
  publicKey: { challenge: BufferSource; user?: { id: BufferSource } }
  mediation?: string
  signal?: AbortSignal
}

/** The person's next action in the browser's passkey dialog. */
interface Hands {
  /** The authenticator whose passkeys the browser offers. */
  authenticator: Authenticator
  /** True if the person closes the dialog. */
  refuse: boolean
  /** Chooses a passkey that the browser offers in the email field. */
  chooseInField: () => void
}

class FakeCredential {
  constructor(readonly answer: object) {}
  get id() {
    return 'id' in this.answer ? this.answer.id : ''
  }
  static isConditionalMediationAvailable = () => Promise.resolve(true)
  toJSON() {
    return this.answer
  }
}

/**
 * Connects an authenticator until the end of the test; the site must be on localhost, because passkeys belong to a
 * domain.
 */
export function plugIn(origin: string): Hands {
  const hands: Hands = {
    authenticator: newAuthenticator({ site: 'localhost', origin }),
    refuse: false,
    chooseInField: () => undefined,
  }
  const ask = async (make: () => object) => {
    if (hands.refuse) throw new DOMException('The operation was not allowed.', 'NotAllowedError')
    return new FakeCredential(make())
  }
  const credentials = {
    create: ({ publicKey: { challenge, user } }: Asked) =>
      ask(() =>
        hands.authenticator.create({
          challenge: text(challenge),
          user: { id: text(user?.id ?? bytes('')) },
        }),
      ),
    get: async ({ publicKey: { challenge }, mediation, signal }: Asked) => {
      const answer = () => ask(() => hands.authenticator.get({ challenge: text(challenge) }))
      if (mediation !== 'conditional') return answer()
      await new Promise<void>((chosen, ended) => {
        hands.chooseInField = chosen
        signal?.addEventListener('abort', () => ended(new DOMException('aborted', 'AbortError')))
      })
      return answer()
    },
  }
  vi.stubGlobal('PublicKeyCredential', FakeCredential)
  Object.defineProperty(window.navigator, 'credentials', { value: credentials, configurable: true })
  onTestFinished(() => {
    Reflect.deleteProperty(window.navigator, 'credentials')
  })
  return hands
}
