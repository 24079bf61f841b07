import { Button, type ButtonProps, CopyButton } from '@mantine/core'
import { IconCheck, IconLink, IconShare2 } from '@tabler/icons-react'
import type { Plan } from '#domain/plan.ts'
import { planToasts } from './plans.messages.ts'
import { useShareLink } from './use-share-link.ts'

interface ShareLinkButtonsProps extends Pick<ButtonProps, 'variant'> {
  plan: Plan
}

/**
 * Copies the link that leads to asking for a place, or hands it to whatever the device shares things with. For the plan's
 * owner.
 */
export function ShareLinkButtons({ plan, variant = 'filled' }: ShareLinkButtonsProps) {
  const link = useShareLink(plan)
  const hands = 'share' in navigator
  const share = async () => {
    try {
      await navigator.share({ title: `${plan.provider} ${plan.name}`, url: link ?? '' })
    } catch (problem) {
      // Whoever closes what the device shows has changed their mind.
      if ((problem as Error).name !== 'AbortError') planToasts.shareFailed()
    }
  }
  return (
    <>
      {hands && (
        <Button
          variant={variant}
          leftSection={<IconShare2 size={20} aria-hidden />}
          disabled={!link}
          onClick={() => void share()}
        >
          Share the link
        </Button>
      )}
      <CopyButton value={link ?? ''}>
        {({ copied, copy }) => (
          <Button
            variant={hands ? 'default' : variant}
            leftSection={copied ? <IconCheck size={20} aria-hidden /> : <IconLink size={20} aria-hidden />}
            disabled={!link}
            onClick={copy}
          >
            {copied ? 'Link copied' : hands ? 'Copy the link' : 'Share the link'}
          </Button>
        )}
      </CopyButton>
    </>
  )
}
