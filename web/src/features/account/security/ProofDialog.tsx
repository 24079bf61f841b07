import { t } from '@lingui/core/macro'
import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { knowsPasskeys } from '#lib/passkeys.ts'
import type { ProofMethod, ProofRequest } from '#lib/proof.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { SentNotice } from '#ui/SentNotice.tsx'
import { proofProblem, proofTexts } from './proof.messages.ts'
import { mailProofCode, showCode, showMailedCode, showPasskey, showPassword } from './show-proof.ts'

const ways = { totp: showCode, password: showPassword, email: showMailedCode }

/** The ways in which the signed-in person can prove their identity, the best first. */
const proofMethodsQuery = query({
  key: ['proof-methods'],
  staleTime: 0,
  load: async (signal) => (await rpc('proof_methods', {}, signal)) as ProofMethod[],
})

/** Asks the signed-in person to prove their identity before an action that cannot be undone. */
export function ProofDialog({ methods, answer }: ProofRequest) {
  const asked = useQuery({ ...proofMethodsQuery, enabled: methods === undefined })
  const offer = (offered: ProofMethod[]) => <Ways methods={usable(offered)} onShown={() => answer(true)} />
  return (
    <Dialog
      opened
      onClose={() => answer(false)}
      title={t`Confirm it’s you`}
      // Puts this dialog above the one that needs the proof.
      zIndex={300}
      closeOnClickOutside={false}
    >
      {methods ? (
        offer(methods)
      ) : (
        <Loaded of={asked} rows={1} failed={t`Something went wrong`}>
          {offer}
        </Loaded>
      )}
    </Dialog>
  )
}

/** Leaves out passkeys if the browser does not support them, unless the person has no other method. */
function usable(methods: ProofMethod[]): ProofMethod[] {
  const others = methods.filter((method) => method !== 'passkey' || knowsPasskeys())
  return others.length === 0 ? methods : others
}

function Ways({ methods, onShown }: { methods: ProofMethod[]; onShown: () => void }) {
  const [method, setMethod] = useState(methods[0] ?? 'password')
  const others = methods.filter((other) => other !== method)
  return (
    <Stack gap="md">
      <Text c="dimmed">{t`For your security. We won’t ask again for ten minutes.`}</Text>
      <Way key={method} method={method} onShown={onShown} />
      {others.map((other) => (
        <Anchor
          key={other}
          component="button"
          type="button"
          size="sm"
          py={10}
          onClick={() => setMethod(other)}
        >
          {proofTexts[other].other}
        </Anchor>
      ))}
    </Stack>
  )
}

function Way({ method, onShown }: { method: ProofMethod; onShown: () => void }) {
  const [text, setText] = useState('')
  const [mailed, setMailed] = useState(false)
  const [working, setWorking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { label, hint } = proofTexts[method]
  const attempt = async (act: () => Promise<unknown>, then: () => void) => {
    setWorking(true)
    setProblem(null)
    try {
      await act()
      then()
    } catch (failure) {
      setProblem(proofProblem(failure))
    }
    setWorking(false)
  }

  if (method === 'passkey' || (method === 'email' && !mailed)) {
    const passkey = method === 'passkey'
    return (
      <>
        <Text>{hint}</Text>
        {problem && (
          <Text role="alert" c="beet">
            {problem}
          </Text>
        )}
        <Button
          variant="primary"
          fullWidth
          leftSection={passkey && <IconFingerprint size={20} aria-hidden />}
          loading={working}
          autoFocus
          onClick={() =>
            void (passkey ? attempt(showPasskey, onShown) : attempt(mailProofCode, () => setMailed(true)))
          }
        >
          {proofTexts[method].other}
        </Button>
      </>
    )
  }
  const Field = method === 'password' ? PasswordInput : TextInput
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() === '') setProblem(t`Please fill this in`)
        else if (!working) void attempt(() => ways[method](text), onShown)
      }}
    >
      <Stack gap="md">
        {method === 'email' && <SentNotice>{t`Enter the code from the email.`}</SentNotice>}
        <Field
          label={label}
          description={method === 'email' ? undefined : hint}
          name={method === 'password' ? 'password' : 'code'}
          autoComplete={method === 'password' ? 'current-password' : 'one-time-code'}
          inputMode={method === 'email' ? 'numeric' : 'text'}
          autoFocus
          value={text}
          error={problem}
          onChange={({ currentTarget: { value } }) => {
            setText(value)
            setProblem(null)
          }}
        />
        <Button type="submit" variant="primary" fullWidth loading={working}>
          {t`Confirm`}
        </Button>
      </Stack>
    </form>
  )
}
