import { mount } from 'svelte';
import App from './App.svelte';
import { dress } from './lib/remembered.svelte';
import './styles.css';

dress();
mount(App, { target: document.getElementById('app')! });
