import { mount } from 'svelte';
import '../src/styles.css';
import Gallery from './Gallery.svelte';

mount(Gallery, { target: document.getElementById('app')! });
