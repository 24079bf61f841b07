import { t } from '@lingui/core/macro'
import { CopyableCode } from '#ui/CopyableCode.tsx'
import { LinkButton } from '#ui/links.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { functionAddress, SCOPES, type Scope } from './tokens.ts'

/** Example curl calls. The first line sets the variable that the others use. */
export function ExamplesCard() {
  const call = (path: string) =>
    `curl -H "Authorization: Bearer $POTLUCK_TOKEN" \\\n  "${functionAddress('api')}/${path}"`
  const examples: [string, Scope, string][] = [
    [t`Your places and when they renew`, 'read plans', 'rpc/my_seats'],
    [
      t`Who asks to join a plan`,
      'read plans',
      'subscription_requests?status=eq.pending&select=id,subscription_id,message',
    ],
    [t`What is still to pay`, 'read money', 'member_payments?status=eq.due&select=plan_name,amount,due_at'],
  ]
  return (
    <SectionCard
      titleId="examples-title"
      title={t`Examples to copy`}
      aside={
        <LinkButton to="/developers" variant="default">
          {t`All calls`}
        </LinkButton>
      }
    >
      <CopyableCode title={t`First, your token`}>{'export POTLUCK_TOKEN=pot_…'}</CopyableCode>
      {examples.map(([title, scope, path]) => (
        <CopyableCode key={title} title={title} note={t`The token needs “${SCOPES[scope].title}”.`}>
          {call(path)}
        </CopyableCode>
      ))}
    </SectionCard>
  )
}
