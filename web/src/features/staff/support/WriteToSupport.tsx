import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Stack, Text, Textarea } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionForm } from '#ui/ActionForm.tsx'
import { FormattedText } from '#ui/FormattedText.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { supportTexts } from './support.messages.ts'
import { useWriteToSupport } from './support.mutations.ts'
import { ownRequestsQuery } from './support.queries.ts'
import classes from './WriteToSupport.module.css'

/** The form to write to staff, above the person's earlier requests with their answers. */
export function WriteToSupport({ userId }: { userId: string }) {
  const [text, setText] = useState('')
  const send = useWriteToSupport(() => setText(''))
  return (
    <Stack gap="lg">
      <ActionForm
        label={t`Contact us`}
        action={t`Send`}
        busy={send.isPending}
        disabled={!text.trim()}
        onSubmit={() => text.trim() && send.mutate(text.trim())}
      >
        <Textarea
          label={t`Your question`}
          description={t`Never share a password here.`}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={LIMITS.longestCaseText}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </ActionForm>
      <Loaded of={useQuery(ownRequestsQuery(userId))} failed={supportTexts.ownFailed} pending={null}>
        {(requests) =>
          requests.map(({ id, request, writtenAt, answer, answeredAt }) => (
            <article key={id} className={classes.request} aria-label={t`You, ${writtenAt}`}>
              <Text size="sm" c="dimmed">
                <Trans>
                  You, <RelativeDate date={writtenAt} size="sm" />
                </Trans>
              </Text>
              <FormattedText>{request}</FormattedText>
              <Text size="sm" c="dimmed" mt="sm">
                {answeredAt ? (
                  <Trans>
                    Answer, <RelativeDate date={answeredAt} size="sm" />
                  </Trans>
                ) : (
                  t`Not answered yet`
                )}
              </Text>
              {answer && <FormattedText>{answer}</FormattedText>}
            </article>
          ))
        }
      </Loaded>
    </Stack>
  )
}
