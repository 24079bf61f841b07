import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Button, Center } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { LIMITS } from '@potluck/supabase/limits'
import { IconMessageCircleQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { onceOnline } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { ChatButton } from './ChatButton.tsx'
import { useAskQuestion } from './chat.mutations.ts'
import { type ChatPartner, questionsQuery } from './chat.queries.ts'
import { LONGEST_MESSAGE } from './message-text.ts'

const MessageDialog = lazy(() => onceOnline(() => import('./MessageDialog.tsx')))

interface AskQuestionProps {
  /** The owner to ask, and the plan that the question is about. */
  partner: ChatPartner
  userId: string
  onChat: (partner: ChatPartner) => void
}

/** A button to ask a plan's owner a question before a join request; once asked, a button to open its chat. */
export function AskQuestion({ partner, userId, onChat }: AskQuestionProps) {
  const { parties, name } = partner
  const { data: questions } = useQuery(questionsQuery(userId, parties.planId))
  const [writing, { open, close }] = useDisclosure()
  const ask = useAskQuestion(parties.planId, () => {
    close()
    onChat(partner)
  })
  if (questions && questions.length > 0)
    return (
      <Center>
        <ChatButton partner={partner} userId={userId} onChat={onChat} label={t`Your question`} />
      </Center>
    )
  return (
    <>
      <Button
        variant="subtle"
        leftSection={<IconMessageCircleQuestion size={20} aria-hidden />}
        disabled={!questions}
        onClick={open}
      >
        {t`Ask a question`}
      </Button>
      <LazyDialog opened={writing}>
        {(opened) => (
          <MessageDialog
            opened={opened}
            onClose={close}
            title={t`Ask ${name} a question`}
            label={t`Your question`}
            count={(length) => t`${length}/${LONGEST_MESSAGE} characters`}
            action={t`Send question`}
            cancelLabel={t`Cancel`}
            change={ask}
          >
            <Trans>
              {name} sees your name and answers in a chat, which closes after{' '}
              <Plural value={LIMITS.questionLifetimeHours / 24} one="# day" other="# days" /> unless you ask
              for a place.
            </Trans>
          </MessageDialog>
        )}
      </LazyDialog>
    </>
  )
}
