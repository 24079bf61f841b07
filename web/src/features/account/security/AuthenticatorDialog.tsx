import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  Button,
  Code,
  CopyButton,
  Group,
  Image,
  Loader,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toAppError } from '#lib/errors.ts'
import { SECURITY } from '#lib/security.ts'
import { ActionForm } from '#ui/ActionForm.tsx'
import { announce } from '#ui/announce.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { addApp, enterCode, makeRecoveryCodes } from './second-factor.mutations.ts'

/**
 * The dialog to add an authenticator app in three steps: scan the QR code, confirm with a code, save the recovery
 * codes.
 */
export function AuthenticatorDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const cache = useQueryClient()
  const [codes, setCodes] = useState<string[] | null>(null)
  const close = () => {
    setCodes(null)
    cache.removeQueries({ queryKey: ['second-factor', 'new'] })
    void cache.invalidateQueries({ queryKey: SECURITY })
    onClose()
  }
  return (
    // The codes cannot be shown again, so a click outside must not close the dialog while it shows them.
    <Dialog
      opened={opened}
      onClose={close}
      title={codes ? t`Your recovery codes` : t`Set up two-step sign-in`}
      closeOnClickOutside={codes === null}
      closeOnEscape={codes === null}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onKept={close} />
      ) : (
        <Confirm onConfirmed={(made) => (made ? setCodes(made) : close())} />
      )}
    </Dialog>
  )
}

function Confirm({ onConfirmed }: { onConfirmed: (codes: string[] | null) => void }) {
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [working, setWorking] = useState(false)
  const app = useQuery({
    queryKey: ['second-factor', 'new'],
    queryFn: addApp,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (app.error) return <Text c="beet">{toAppError(app.error).message}</Text>
  if (!app.data) return <Loader aria-label={t`Loading`} />
  const { id, picture, secret } = app.data

  const confirm = async () => {
    setWorking(true)
    try {
      await enterCode(id, code)
      onConfirmed(await makeRecoveryCodes(false))
    } catch (failure) {
      const { code: reason, message } = toAppError(failure)
      setProblem(reason === 'mfa_verification_failed' ? t`This code is wrong or expired` : message)
      setWorking(false)
    }
  }
  return (
    <ActionForm
      action={t`Turn on`}
      busy={working}
      disabled={code.trim() === ''}
      onSubmit={() => void confirm()}
    >
      <Text>{t`Scan this with an authenticator app, then enter its six-digit code.`}</Text>
      <Image
        src={picture}
        alt={t`QR code for your authenticator app`}
        w={200}
        h={200}
        mx="auto"
        bg="white"
        p={8}
        radius="md"
      />
      <Text size="sm" c="dimmed">
        <Trans>
          Or enter this code in the app: <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
        </Trans>
      </Text>
      <TextInput
        label={t`Code`}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        error={problem}
        onChange={({ currentTarget: { value } }) => {
          setCode(value)
          setProblem(null)
        }}
      />
    </ActionForm>
  )
}

/** Splits a code into groups of four, to make copying by hand easier. */
const readable = (code: string) => code.replace(/(.{4})(?=.)/g, '$1-')

/** The new recovery codes. They cannot be shown again. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const lines = codes.map(readable)
  return (
    <Stack gap="md">
      <Text>
        {t`If you lose your phone, each code signs you in once. Save them now, as we can’t show them again.`}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {lines.map((line) => (
          <Code key={line} block ta="center">
            {line}
          </Code>
        ))}
      </SimpleGrid>
      <Group justify="flex-end" gap="sm">
        <CopyButton value={lines.join('\n')}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={() => {
                copy()
                announce(t`Copied`)
              }}
            >
              {copied ? t`Copied` : t`Copy all`}
            </Button>
          )}
        </CopyButton>
        <Button variant="primary" onClick={onKept}>
          {t`I’ve saved them`}
        </Button>
      </Group>
    </Stack>
  )
}
