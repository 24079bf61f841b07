import { t } from '@lingui/core/macro'
import { Button, Divider } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { authSettingsQuery } from '#lib/auth-settings.ts'
import { toAppError } from '#lib/errors.ts'
import { knowsPasskeys } from '#lib/passkeys.ts'
import { sayPasskeyFailed } from './auth.messages.ts'
import { canOfferPasskeys, signInByPasskey } from './auth.mutations.ts'
import { isRefusal } from './auth-errors.ts'

/**
 * The button to sign in with a passkey, if site and browser support passkeys. The browser may also offer passkeys in
 * the e-mail field.
 */
export function PasskeySignIn() {
  const { data: settings } = useQuery(authSettingsQuery)
  return settings?.passkeys_enabled && knowsPasskeys() ? <Offer /> : null
}

/** Lets the browser offer passkeys in the e-mail field. Returns a function that stops the offer. */
function offerInField(): () => void {
  const over = new AbortController()
  const offer = async (): Promise<void> => {
    if (!(await canOfferPasskeys()) || over.signal.aborted) return
    try {
      await signInByPasskey({ mediation: 'conditional', signal: over.signal })
    } catch (problem) {
      // A failure before the person has chosen a passkey is not shown, since the person has not asked for a passkey.
      if (over.signal.aborted || !isRefusal(problem) || isTooOften(problem)) return
      sayPasskeyFailed(problem)
      return offer()
    }
  }
  void offer()
  return () => over.abort()
}

const isTooOften = (problem: unknown) => toAppError(problem).code === 'over_request_rate_limit'

function Offer() {
  const [working, setWorking] = useState(false)
  const endOffer = useRef<() => void>(undefined)
  useEffect(() => {
    endOffer.current = offerInField()
    return () => endOffer.current?.()
  }, [])

  const choose = async () => {
    // A browser handles one passkey request at a time.
    endOffer.current?.()
    setWorking(true)
    try {
      await signInByPasskey({})
    } catch (problem) {
      sayPasskeyFailed(problem)
      endOffer.current = offerInField()
    }
    setWorking(false)
  }
  return (
    <>
      <Divider label={t`Or`} labelPosition="center" my="md" />
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={20} aria-hidden />}
        loading={working}
        onClick={() => void choose()}
      >
        {t`Sign in with a passkey`}
      </Button>
    </>
  )
}
