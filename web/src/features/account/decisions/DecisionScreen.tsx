import { t } from '@lingui/core/macro'
import { Button, Stack, Text, Textarea, Title } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import { NOT_FOUND, toAppError } from '#lib/errors.ts'
import { ActionForm } from '#ui/ActionForm.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FormattedText } from '#ui/FormattedText.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { decisionQuery, useAppeal } from './decisions.ts'

/** A decision of staff about the reader, with its reasons and the way to appeal; opened by its id or a mailed link. */
export function DecisionScreen({ decision }: { decision: string }) {
  return (
    <Loaded
      of={useQuery(decisionQuery(decision))}
      rows={3}
      failed={(problem, retry, busy) =>
        toAppError(problem).code === NOT_FOUND ? (
          <EmptyState order={1} title={t`This link doesn’t work`}>
            {t`It may be incomplete, or the decision is no longer kept.`}
          </EmptyState>
        ) : (
          <EmptyState
            order={1}
            title={t`That didn’t work`}
            action={<Button loading={busy} onClick={retry}>{t`Try Again`}</Button>}
          >
            {toAppError(problem).message}
          </EmptyState>
        )
      }
    >
      {(made) => (
        <Stack gap="lg">
          <PageTitle title={made.title ?? t`A decision about you`}>
            {t`Decided on ${{ day: fullDay(made.decided_at) }}, by a person and not by a program.`}
          </PageTitle>
          <FormattedText>{made.message ?? ''}</FormattedText>
          <Text c="dimmed">
            {made.reported ? t`Somebody reported it to us.` : t`We looked into it ourselves.`}
          </Text>
          {made.undone_at && (
            <Text fw={600}>{t`This decision was taken back on ${{ day: fullDay(made.undone_at) }}.`}</Text>
          )}
          {made.appeal ? (
            <SurfaceCard>
              <Stack gap="xs">
                <Title order={2} size="h3">{t`Your appeal`}</Title>
                <FormattedText>{made.appeal}</FormattedText>
                <Text size="sm" c="dimmed">
                  {made.answered_at
                    ? made.outcome === 'reversed'
                      ? t`You were right. Decided on ${{ day: fullDay(made.answered_at) }}.`
                      : t`The decision stands. Decided on ${{ day: fullDay(made.answered_at) }}.`
                    : t`Sent on ${{ day: fullDay(made.appealed_at ?? '') }}. Somebody else than before looks at it, where the team has more than one.`}
                </Text>
                {made.answer && <FormattedText>{made.answer}</FormattedText>}
              </Stack>
            </SurfaceCard>
          ) : (
            made.undone_at === null &&
            Date.parse(made.appeal_by) > Date.now() && <Appeal decision={decision} until={made.appeal_by} />
          )}
          <Text size="sm" c="dimmed">
            {t`You can also turn to a court, or to a body for settling disputes out of court that is certified in the EU.`}
          </Text>
        </Stack>
      )}
    </Loaded>
  )
}

function Appeal({ decision, until }: { decision: string; until: string }) {
  const [body, setBody] = useState('')
  const send = useAppeal(decision)
  return (
    <SurfaceCard>
      <Stack gap="md">
        <Title order={2} size="h3">{t`Do you think we’re wrong?`}</Title>
        <ActionForm
          label={t({ message: 'Appeal', context: 'button' })}
          action={t({ message: 'Appeal', context: 'button' })}
          busy={send.isPending}
          disabled={!body.trim()}
          onSubmit={() => body.trim() && send.mutate(body.trim())}
        >
          <Textarea
            label={t`What did we miss?`}
            description={t`Until ${{ day: fullDay(until) }}, once, at no cost.`}
            autosize
            minRows={4}
            maxRows={12}
            maxLength={LIMITS.longestCaseText}
            value={body}
            onChange={({ currentTarget }) => setBody(currentTarget.value)}
          />
        </ActionForm>
      </Stack>
    </SurfaceCard>
  )
}
