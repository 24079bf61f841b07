import { t } from '@lingui/core/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { LIMITS } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FormattedText } from '#ui/FormattedText.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { pressedBy, Queue, queueRow } from '#ui/Queue.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { supportTexts } from './support.messages.ts'
import { useAnswerSupport } from './support.mutations.ts'
import { type SupportRequest, supportQuery } from './support.queries.ts'

/** Support requests, for staff to answer. */
export function SupportList({ isAnswered }: { isAnswered: boolean }) {
  return (
    <Loaded
      of={useQuery(supportQuery(isAnswered))}
      failed={supportTexts.listFailed}
      empty={
        <EmptyState order={2} title={isAnswered ? t`Nothing answered yet` : t`No questions waiting`}>
          {isAnswered ? t`Answered questions appear here.` : t`You’re all caught up.`}
        </EmptyState>
      }
    >
      {(requests) => (
        <Queue opens={t`Open the person’s page`} keys={[{ key: 'a', does: t`Answer` }]}>
          <Stack gap="md">
            {requests.map((request) => (
              <Request key={request.id} request={request} />
            ))}
          </Stack>
        </Queue>
      )}
    </Loaded>
  )
}

function Request({ request }: { request: SupportRequest }) {
  const { writerId, avatarUrl, answer, answeredAt, answeredByName } = request
  const name = request.writerName ?? t`Someone who has left`
  const [answering, { open, close }] = useDisclosure()
  const send = useAnswerSupport(request, close)
  return (
    <SurfaceCard component="article" aria-label={t`From ${name}`} {...queueRow}>
      <Stack gap="sm">
        <Group gap="sm" wrap="nowrap">
          <PersonAvatar name={name} src={avatarUrl} size={44} />
          <Stack gap={0} miw={0}>
            <Text fw={600} truncate>
              {writerId ? <PersonLink staff userId={writerId} name={name} pressed={pressedBy('o')} /> : name}
            </Text>
            <Text size="sm" c="dimmed">
              <RelativeDate date={request.writtenAt} />
            </Text>
          </Stack>
        </Group>
        <FormattedText>{request.request}</FormattedText>
        {answeredAt ? (
          <>
            <Text size="sm" c="dimmed">
              {answeredByName ?? t`Staff`}, <RelativeDate date={answeredAt} size="sm" />
            </Text>
            <FormattedText>{answer}</FormattedText>
          </>
        ) : (
          <Button {...pressedBy('a')} onClick={open} style={{ alignSelf: 'flex-start' }}>
            {t`Answer`}
          </Button>
        )}
      </Stack>
      {answering && (
        <ReasonDialog
          title={t`Answer ${name}`}
          label={t`Your answer`}
          confirmLabel={t`Send answer`}
          color="clay"
          most={LIMITS.longestSupportText}
          busy={send.isPending}
          onConfirm={(text) => send.mutate(text)}
          onClose={close}
        >
          {request.request}
        </ReasonDialog>
      )}
    </SurfaceCard>
  )
}
