import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { rpc, supabase } from '#lib/supabase.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
import { undoneInWords, undoProblem } from './account-changes.messages.ts'

const undoneSchema = z.object({ kind: z.string(), email: z.string() })

/** Undoes the change that a mail told of, signed in or not. Only at the press of a button: mail scanners open links too. */
export function UndoScreen({ token }: { token: string }) {
  const undo = useMutation({
    mutationFn: async () => {
      const undone = undoneSchema.parse(await rpc('undo_account_change', { p_token: token }))
      // The account is signed out in this browser too, which the client only learns by asking.
      await supabase().auth.getUser()
      return undone
    },
  })
  if (undo.data)
    return (
      <EmptyState order={1} title="The change is undone" action={<NewPassword />}>
        {undoneInWords(undo.data.kind)} Whatever was changed after it is undone too. Every device is signed
        out, and the password is gone: choose a new one, by a link that we mail to {undo.data.email}.
      </EmptyState>
    )
  if (undo.error) {
    const { title, text, again } = undoProblem(undo.error)
    return (
      <EmptyState
        order={1}
        title={title}
        action={again ? <Button onClick={() => undo.mutate()}>Try Again</Button> : <NewPassword />}
      >
        {text}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      order={1}
      title="This was not you?"
      action={
        <Button color="beet" loading={undo.isPending} onClick={() => undo.mutate()}>
          Undo the change
        </Button>
      }
    >
      Undo what the email told you of, and whatever was changed after it. Every device is signed out then,
      and you choose a new password.
    </EmptyState>
  )
}

const NewPassword = () => <LinkButton to="/reset-password">Choose a new password</LinkButton>
