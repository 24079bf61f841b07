import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Native<Look> = Look & Omit<ComponentProps<'a'>, keyof Look>

/** A {@link Link} that looks like a button. */
export const LinkButton = createLink((props: Native<ButtonProps>) => <Button component="a" {...props} />)

/** A {@link Link} that looks like a link in a text. */
export const LinkAnchor = createLink((props: Native<AnchorProps>) => <Anchor {...props} />)
