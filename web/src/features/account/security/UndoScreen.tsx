import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { rpc, supabase } from '#lib/supabase.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
import { changeInWords, undoneInWords, undoProblem } from './account-changes.messages.ts'

const undoneSchema = z.object({ kind: z.string(), email: z.string() })

interface UndoScreenProps {
  token: string
  /** The kind of the change, which the link names. */
  kind: string | undefined
}

/**
 * The page of a mailed link that undoes an account change, whether or not the person is signed in. Needs a click, since
 * mail scanners open links.
 */
export function UndoScreen({ token, kind }: UndoScreenProps) {
  const undo = useMutation({
    mutationFn: async () => {
      const undone = undoneSchema.parse(await rpc('undo_account_change', { p_token: token }))
      // Undoing a change ends all sessions. The client notices the end of the current session only on a request.
      await supabase().auth.getUser()
      return undone
    },
  })
  if (undo.data)
    return (
      <EmptyState order={1} mood="excited" title={t`Change undone`} action={<NewPassword />}>
        <Trans>
          {undoneInWords(undo.data.kind)} We undid later changes too and signed out every device. We’ll email
          a link to {undo.data.email} to choose a new password.
        </Trans>
      </EmptyState>
    )
  if (undo.error) {
    const { title, text, again } = undoProblem(undo.error)
    return (
      <EmptyState
        order={1}
        title={title}
        action={again ? <Button onClick={() => undo.mutate()}>{t`Try Again`}</Button> : <NewPassword />}
      >
        {text}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      order={1}
      title={t`Wasn’t you?`}
      action={
        <Button color="beet" loading={undo.isPending} onClick={() => undo.mutate()}>
          {t`Undo change`}
        </Button>
      }
    >
      {kind !== undefined && (
        <Text span display="block" mb="xs" fw={600} c="var(--mantine-color-text)">
          {changeInWords(kind)}
        </Text>
      )}
      {t`We’ll undo this change and any later ones, and sign out every device. Then you choose a new password.`}
    </EmptyState>
  )
}

const NewPassword = () => <LinkButton to="/reset-password">{t`Choose a new password`}</LinkButton>
