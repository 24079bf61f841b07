import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { CopyField } from '#ui/CopyField.tsx'
import { vaultToasts } from './vault.messages.ts'

/** An opened secret, ready to copy while it is shown. */
export function OpenedSecret({ secret, secondsLeft }: { secret: Secret; secondsLeft: number }) {
  const { login, password, link, note } = secret
  return (
    <Stack gap="xs" style={{ whiteSpace: 'pre-wrap' }}>
      {login && <CopyField label={t`Account login`} value={login} />}
      {password && <CopyField label={t`Password`} value={password} />}
      {link && (
        <div>
          <CopyField label={t`Link`} value={link} />
          <Anchor href={link} target="_blank" rel="noopener noreferrer" mih={44} display="inline-flex">
            <Trans>Open {new URL(link).host}</Trans>
          </Anchor>
        </div>
      )}
      {note && <CopyField label={t`Note`} value={note} />}
      <Text size="sm" c="dimmed" role="timer">
        <Trans>Hidden again in {secondsLeft} s</Trans>
      </Text>
    </Stack>
  )
}

/** The parts of a plan's access that were decrypted. Empty parts are absent. */
export interface Secret {
  login?: string
  password?: string
  link?: string
  note?: string
}

/** The time a secret stays on screen, in ms. */
const SHOWN_FOR = 30_000

/**
 * Opens a secret. It is kept only in component state, never in a cache. It is dropped after a while, on unmount, and
 * when the person leaves the page.
 */
export function useOpening<Opened extends Secret, Key = void>(
  load: (key: Key) => Promise<Opened | undefined>,
) {
  const [shown, setShown] = useState<{ secret: Opened; until: number } | null>(null)
  const [now, setNow] = useState(0)
  const [working, setWorking] = useState(false)

  useEffect(() => {
    if (!shown) return
    const drop = () => setShown(null)
    const tick = () => {
      setNow(Date.now())
      if (Date.now() >= shown.until) drop()
    }
    const clock = setInterval(tick, 250)
    // A page restored by the back button keeps its state, so the secret must be dropped on leaving.
    window.addEventListener('pagehide', drop)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(clock)
      window.removeEventListener('pagehide', drop)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [shown])

  const open = async (key: Key) => {
    setWorking(true)
    try {
      const secret = await load(key)
      setNow(Date.now())
      if (secret) setShown({ secret, until: Date.now() + SHOWN_FOR })
    } catch (problem) {
      vaultToasts.openFailed(problem)
    }
    setWorking(false)
  }
  return {
    secret: shown?.secret ?? null,
    secondsLeft: shown ? Math.max(0, Math.ceil((shown.until - now) / 1000)) : 0,
    working,
    open,
    hide: () => setShown(null),
  }
}
